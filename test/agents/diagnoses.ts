import { deepEqual, equal, match } from "node:assert/strict";
import * as z from "zod";
import { eventually } from "../aws/eventually.ts";
import type { StackRef } from "../aws/lane.ts";
import { hearth } from "./commands.ts";
import { type Rig, resourceOf, STORY_MS_MAX } from "./rig.ts";

const DiagnosisAnswer = z.object({
  diagnosis: z.object({
    state: z.string(),
    history: z.array(z.object({ state: z.string(), time: z.string() })),
    verdict: z.object({
      stage: z.number().nullable(),
      cause: z.string(),
      certain: z.boolean(),
      summary: z.string(),
      advice: z.array(z.string()),
    }),
    server: z
      .object({
        agent: z.string().nullable(),
        tools: z.array(z.string()).nullable(),
        document_version: z.string().nullable(),
        applied_version: z.string().nullable(),
      })
      .nullable(),
    waiting_behind: z.object({ resource_name: z.string() }).nullable(),
  }),
});

export type Diagnosis = z.infer<typeof DiagnosisAnswer>["diagnosis"];

export const diagnosisOf = async (rig: Rig, stack: StackRef, name: string): Promise<Diagnosis> => {
  const id = (await resourceOf(rig, stack, name)).physical_resource_id;
  const path = `/software_deployments/${id}/diagnosis`;
  return (await rig.client.request("GET", path, DiagnosisAnswer)).diagnosis;
};

export const diagnosed = async (
  rig: Rig,
  stack: StackRef,
  name: string,
  holds: (diagnosis: Diagnosis) => boolean,
): Promise<Diagnosis> => {
  let last = "there is no diagnosis";
  return eventually(`the expected diagnosis of ${name}`, STORY_MS_MAX, async () => {
    const published = (await resourceOf(rig, stack, name)).resource_status !== "INIT_COMPLETE";
    if (!published) return null;
    const diagnosis = await diagnosisOf(rig, stack, name).catch(() => null);
    if (diagnosis === null) return null;
    last = JSON.stringify([diagnosis.state, diagnosis.verdict]);
    return holds(diagnosis) ? diagnosis : null;
  }).catch((error: unknown) => {
    throw new Error(`${error instanceof Error ? error.message : error}, but ${last}`);
  });
};

export const hasApplied = ({ server }: Diagnosis): boolean =>
  server !== null &&
  server.document_version !== null &&
  server.applied_version === server.document_version;

export interface Expected {
  readonly stage: 1 | 2 | 3 | 4 | 5 | 6 | null;
  readonly cause: string;
  readonly certain: boolean;
  readonly summary: RegExp;
}

export const expectVerdict = async (
  rig: Rig,
  stack: StackRef,
  name: string,
  { stage, cause, certain, summary }: Expected,
): Promise<Diagnosis> => {
  const diagnosis = await diagnosed(rig, stack, name, ({ verdict }) =>
    summary.test(verdict.summary),
  );
  const { verdict } = diagnosis;
  deepEqual([verdict.stage, verdict.cause, verdict.certain], [stage, cause, certain]);
  return diagnosis;
};

export const expectDiagnoseCommand = async (
  rig: Rig,
  { stack_name }: StackRef,
  name: string,
  firstLine: RegExp,
  wanted: 0 | 1,
): Promise<void> => {
  const { exitCode, printed } = await hearth(rig, "deployment", "diagnose", stack_name, name);
  match(printed.split("\n")[0] ?? "", firstLine);
  deepEqual([exitCode, printed.includes("steps:")], [wanted, true], printed);
};

export const report = async (
  rig: Rig,
  { stack_name }: StackRef,
  server: string,
  ...options: readonly string[]
): Promise<void> => {
  const { exitCode, printed } = await hearth(
    rig,
    "server",
    "report",
    stack_name,
    server,
    ...options,
  );
  equal(exitCode, 0, printed);
};
