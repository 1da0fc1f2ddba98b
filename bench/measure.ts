/** One stack's life with a clock beside it: created, updated to what it is already, deleted. */
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { RequestError } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { type Client, openClient, stackPath } from "../cli/client.ts";
import { CreatedAnswer, StackAnswer } from "../cli/wire.ts";

/** What is measured is not finer than this. */
const LOOK_MS = 10;
const OPERATION_MS_MAX = 180_000;
const NAME = "bench";

const Counters = z.object({ counters: z.record(z.string(), z.number()) });
type Counters = Readonly<Record<string, number>>;

export interface Measure {
  readonly operation: string;
  /** From the request to the first look that finds the stack at its end. */
  readonly ms: number;
  /** What was counted meanwhile. */
  readonly counters: Counters;
}

export async function* measureStack(url: string, template: JsonObject): AsyncGenerator<Measure> {
  const client = openClient({ endpoint: url, project: "demo" });
  const body = { stack_name: NAME, template };
  const stack = { stack_name: NAME, id: "" };
  yield measure(url, "create", async () => {
    stack.id = (await client.request("POST", "/stacks", CreatedAnswer, body)).stack.id;
    await end(client, stack, "CREATE_COMPLETE");
  });
  yield measure(url, "no-op update", async () => {
    await client.request("PUT", stackPath(stack), z.unknown(), { template });
    await end(client, stack, "UPDATE_COMPLETE");
  });
  yield measure(url, "delete", async () => {
    await client.request("DELETE", stackPath(stack), z.unknown());
    await end(client, stack, "DELETE_COMPLETE");
  });
}

const measure = async (
  url: string,
  operation: string,
  work: () => Promise<void>,
): Promise<Measure> => {
  const before = await readCounters(url);
  const startedAt = performance.now();
  await work();
  const ms = performance.now() - startedAt;
  const after = await readCounters(url);
  const counted = Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]);
  return { operation, ms, counters: Object.fromEntries(counted) };
};

const readCounters = async (url: string): Promise<Counters> => {
  const response = await fetch(`${url}/_dev/counters`);
  return Counters.parse(await response.json()).counters;
};

const end = async (
  client: Client,
  stack: { readonly stack_name: string; readonly id: string },
  wanted: string,
): Promise<void> => {
  const giveUpAt = performance.now() + OPERATION_MS_MAX;
  for (;;) {
    const status = await statusOf(client, stack);
    if (status === wanted) return;
    if (status.endsWith("_FAILED") || performance.now() > giveUpAt)
      throw new Error(`the stack is ${status} instead of ${wanted}`);
    await pause(LOOK_MS);
  }
};

/** A deleted stack that is no longer shown is DELETE_COMPLETE. */
const statusOf = async (
  client: Client,
  stack: { readonly stack_name: string; readonly id: string },
): Promise<string> => {
  try {
    const path = `${stackPath(stack)}?resolve_outputs=false`;
    return (await client.request("GET", path, StackAnswer)).stack.stack_status;
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return "DELETE_COMPLETE";
    throw error;
  }
};
