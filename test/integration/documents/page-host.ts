import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { openClient } from "#client/client.ts";
import { pause } from "#client/pause.ts";
import { CreatedAnswer } from "#client/wire.ts";
import { startHost } from "#host/host.ts";
import { RequestError } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { json } from "#lib/json-schema.ts";
import { addProgram, type Ended, runInShell } from "./page-shell.ts";

const LOOK_MS = 20;
const LOOKS_MAX = 500;
const STACK = "app";

const Output = z.looseObject({
  output_key: z.string(),
  output_value: json,
  output_error: z.string().nullish(),
});
const Shown = z.looseObject({
  stack: z.looseObject({
    stack_status: z.string(),
    stack_status_reason: z.string(),
    outputs: z.array(Output).nullish(),
  }),
});

export type Made =
  | {
      readonly outputs: ReadonlyMap<
        string,
        { readonly value: Json; readonly error: string | null }
      >;
    }
  | { readonly refused: string };

export interface PageHost {
  readonly make: (template: JsonObject, files: Readonly<Record<string, string>>) => Promise<Made>;
  readonly run: (command: string) => Promise<Ended>;
  readonly stop: () => Promise<void>;
}

const outcome = async (endpoint: string, project: string): Promise<Made> => {
  const client = openClient({ endpoint, project });
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const { stack } = await client.request("GET", `/stacks/${STACK}`, Shown);
    if (stack.stack_status === "CREATE_COMPLETE") {
      const outputs = (stack.outputs ?? []).map(
        ({ output_key: name, output_value: value, output_error: error }) =>
          [name, { value, error: error ?? null }] as const,
      );
      return { outputs: new Map(outputs) };
    }
    if (stack.stack_status !== "CREATE_IN_PROGRESS") throw new Error(stack.stack_status_reason);
    await pause(LOOK_MS);
  }
  throw new Error(`The stack of ${project} did not come to an end`);
};

const run = async (folder: string, endpoint: string, command: string): Promise<Ended> => {
  const { code, printed } = await runInShell(folder, { HEARTH_ENDPOINT: endpoint }, command);
  // Errors name the folder, which has another name each time.
  const url = `${pathToFileURL(folder).href}/`;
  return { code, printed: printed.replaceAll(url, "").replaceAll(`${folder}/`, "") };
};

export const startPageHost = async (files: ReadonlyMap<string, string>): Promise<PageHost> => {
  const host = await startHost({ port: 0, data: null });
  const folder = mkdtempSync(join(tmpdir(), "hearth-page-"));
  addProgram(folder);
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  let made = 0;
  return {
    make: async (template, named) => {
      made += 1;
      const project = `project-${made}`;
      const body = { stack_name: STACK, template, files: named };
      try {
        const client = openClient({ endpoint: host.url, project });
        await client.request("POST", "/stacks", CreatedAnswer, body);
      } catch (failure) {
        if (failure instanceof RequestError) return { refused: failure.message };
        throw failure;
      }
      return outcome(host.url, project);
    },
    run: (command) => run(folder, host.url, command),
    stop: async () => {
      await host.stop();
      rmSync(folder, { recursive: true });
    },
  };
};
