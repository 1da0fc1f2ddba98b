/** Where a deployment is, as the agents' own polls and signals tell it: OpenStack's and Hearth's. */
import { deepEqual, equal, match } from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { create, ends, remove, type StackRef } from "../../cloud/lane.ts";
import { openOwnServer } from "../own-agent.ts";
import {
  config,
  deployment,
  metadataUrl,
  openServer,
  type Rig,
  resourceOf,
  STORY_MS_MAX,
  type Story,
  script,
  serverTemplate,
  until,
} from "../rig.ts";

const ResourceAnswer = z.object({
  resource: z.object({ physical_resource_id: z.string(), resource_status_reason: z.string() }),
});

const DiagnosisAnswer = z.object({
  diagnosis: z.object({
    state: z.string(),
    history: z.array(z.object({ state: z.string(), time: z.string() })),
    verdict: z.object({
      stage: z.number().nullable(),
      cause: z.string(),
      certain: z.boolean(),
      summary: z.string(),
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

type Diagnosis = z.infer<typeof DiagnosisAnswer>["diagnosis"];

const diagnosisOf = async ({ client }: Rig, stack: StackRef, name: string): Promise<Diagnosis> => {
  const path = `/stacks/${stack.stack_name}/${stack.id}/resources/${name}`;
  const { resource } = await client.request("GET", path, ResourceAnswer);
  const id = resource.physical_resource_id;
  const answer = await client.request(
    "GET",
    `/software_deployments/${id}/diagnosis`,
    DiagnosisAnswer,
  );
  return answer.diagnosis;
};

/** Looks until the diagnosis of a deployment that is there is as it is to be. */
const diagnosed = async (
  rig: Rig,
  stack: StackRef,
  name: string,
  holds: (diagnosis: Diagnosis) => boolean,
): Promise<Diagnosis> => {
  const seen: { diagnosis?: Diagnosis } = {};
  await until(`${name} is diagnosed so`, async () => {
    const published = (await resourceOf(rig, stack, name)).resource_status !== "INIT_COMPLETE";
    if (!published) return false;
    const diagnosis = await diagnosisOf(rig, stack, name).catch(() => null);
    if (diagnosis === null || !holds(diagnosis)) return false;
    seen.diagnosis = diagnosis;
    return true;
  });
  const { diagnosis } = seen;
  if (diagnosis === undefined) throw new Error("it was diagnosed and is not there");
  return diagnosis;
};

const hasApplied = ({ server }: Diagnosis): boolean =>
  server !== null &&
  server.document_version !== null &&
  server.applied_version === server.document_version;

const echoed: Story = {
  name: "the stock agents tell by their next poll that they have applied a document, and run nothing twice for it",
  play: async (rig) => {
    const template = serverTemplate({
      config: config(script("echo once")),
      run: deployment("config"),
    });
    const stack = await create(rig, "echo", template);
    const server = openServer(rig, "echo");
    server.start(await metadataUrl(rig, stack));
    await ends(rig, stack, "CREATE_COMPLETE", STORY_MS_MAX);
    const { history, verdict, server: seen } = await diagnosed(rig, stack, "run", hasApplied);
    equal(verdict.cause, "finished");
    deepEqual(history.map(({ state }) => state).toSorted(), [
      ...["APPLIED", "COMPLETE", "FETCHED", "PUBLISHED"],
    ]);
    match(seen?.agent ?? "", /os-collect-config|python/);
    equal(server.begun(), 1);
    await remove(rig, stack);
    await server.kill();
  },
};

const withoutHook: Story = {
  name: "a stock image without the hook is diagnosed as such, once the agents have applied what they cannot run",
  play: async (rig) => {
    const template = serverTemplate({
      config: config("print('hello')", { group: "python" }),
      run: deployment("config", { timeout: 3_600 }),
    });
    const stack = await create(rig, "no-hook", template);
    const server = openServer(rig, "no-hook");
    server.start(await metadataUrl(rig, stack));
    const isStuck = ({ verdict }: Diagnosis): boolean => verdict.cause === "agent_misconfigured";
    const { state, verdict } = await diagnosed(rig, stack, "run", isStuck);
    deepEqual([state, verdict.stage, verdict.certain], ["APPLIED", 4, false]);
    match(verdict.summary, /most likely it has no hook for python/);
    match((await resourceOf(rig, stack, "run")).resource_status_reason, /no hook for python/);
    await remove(rig, stack, STORY_MS_MAX);
    await server.kill();
  },
};

const behindAnother: Story = {
  name: "what waits behind another script of its server is told so, by Hearth's agent for certain",
  play: async (rig) => {
    const template = serverTemplate({
      long: config(script('while [ ! -e "$HOME/go" ]; do sleep 0.1; done')),
      run: deployment("long", { name: "1-long" }),
      quick: config(script("true")),
      next: deployment("quick", { name: "2-quick" }),
    });
    const stack = await create(rig, "behind", template);
    await metadataUrl(rig, stack);
    const server = await openOwnServer(rig, "behind", ["json-file"]);
    server.start();
    const isBehind = ({ verdict }: Diagnosis): boolean =>
      verdict.cause === "waiting_behind" && verdict.certain;
    const { waiting_behind, server: seen } = await diagnosed(rig, stack, "next", isBehind);
    equal(waiting_behind?.resource_name, "run");
    deepEqual([seen?.agent, seen?.tools], ["hearth-agent", ["script", "json-file"]]);
    const running = await diagnosisOf(rig, stack, "run");
    deepEqual([running.state, running.verdict.cause], ["RUNNING", "running"]);
    writeFileSync(join(server.folder, "go"), "");
    await ends(rig, stack, "CREATE_COMPLETE", STORY_MS_MAX);
    rmSync(join(server.folder, "go"));
    await remove(rig, stack);
    await server.kill();
  },
};

export const diagnosisStories: readonly Story[] = [echoed, withoutHook, behindAnother];
