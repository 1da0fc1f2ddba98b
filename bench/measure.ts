/** Times the life of one stack: create, update without a change, update of one resource, delete. */
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { type Client, openClient, stackPath } from "#client/client.ts";
import { CreatedAnswer, StackAnswer } from "#client/wire.ts";
import { RequestError } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";

/**
 * Status requests cost the host time too. They become rarer with time, to stay below a few percent.
 */
const LOOK_MS_MIN = 5;
const LOOK_SHARE = 0.03;
const OPERATION_MS_MAX = 900_000;

const Counters = z.object({ counters: z.record(z.string(), z.number()) });
const Process = z.object({ process: z.record(z.string(), z.number()) });
export type Counts = Readonly<Record<string, number>>;

export type Operation = "create" | "no-op update" | "update of one" | "delete";

export interface Measure {
  readonly operation: Operation;
  /** From the request to the first status request that finds the operation ended. */
  readonly ms: number;
  /**
   * Counts of this operation: the host's counters, its processor time in `cpu_ms`, its SQL
   * statements.
   */
  readonly counts: Counts;
  /** The host's peak memory so far. */
  readonly rssBytesMax: number;
}

type Identity = { readonly stack_name: string; readonly id: string };

export async function* measureStack(
  url: string,
  name: string,
  template: JsonObject,
  changed: JsonObject,
): AsyncGenerator<Measure> {
  const client = openClient({ endpoint: url, project: "demo" });
  const stack = { stack_name: name, id: "" };
  yield measure(url, "create", async () => {
    const body = { stack_name: name, template };
    stack.id = (await client.request("POST", "/stacks", CreatedAnswer, body)).stack.id;
    await end(client, stack, "CREATE_COMPLETE");
  });
  yield measure(url, "no-op update", async () => {
    await client.request("PUT", stackPath(stack), z.unknown(), { template });
    await end(client, stack, "UPDATE_COMPLETE");
  });
  yield measure(url, "update of one", async () => {
    await client.request("PUT", stackPath(stack), z.unknown(), { template: changed });
    await end(client, stack, "UPDATE_COMPLETE");
  });
  yield measure(url, "delete", async () => {
    await client.request("DELETE", stackPath(stack), z.unknown());
    await end(client, stack, "DELETE_COMPLETE");
  });
}

const measure = async (
  url: string,
  operation: Operation,
  work: () => Promise<void>,
): Promise<Measure> => {
  const before = await countsOf(url);
  const startedAt = performance.now();
  await work();
  const ms = performance.now() - startedAt;
  const after = await countsOf(url);
  const counted = Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]);
  const rssBytesMax = after["rss_bytes_max"] ?? 0;
  return { operation, ms, counts: Object.fromEntries(counted), rssBytesMax };
};

const countsOf = async (url: string): Promise<Counts> => {
  const { counters } = Counters.parse(await documentAt(`${url}/_dev/counters`));
  const { process: used } = Process.parse(await documentAt(`${url}/_dev/process`));
  const cpuMs = ((used["cpu_user_us"] ?? 0) + (used["cpu_system_us"] ?? 0)) / 1_000;
  return { ...counters, ...used, cpu_ms: cpuMs };
};

const documentAt = async (url: string): Promise<unknown> => (await fetch(url)).json();

const end = async (client: Client, stack: Identity, wanted: string): Promise<void> => {
  const startedAt = performance.now();
  for (;;) {
    const status = await statusOf(client, stack);
    if (status === wanted) return;
    const ms = performance.now() - startedAt;
    if (status.endsWith("_FAILED") || ms > OPERATION_MS_MAX)
      throw new Error(`the stack is ${status} instead of ${wanted}`);
    await pause(Math.max(LOOK_MS_MIN, ms * LOOK_SHARE));
  }
};

/** 404 means that the stack is deleted. */
const statusOf = async (client: Client, stack: Identity): Promise<string> => {
  try {
    const path = `${stackPath(stack)}?resolve_outputs=false`;
    return (await client.request("GET", path, StackAnswer)).stack.stack_status;
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return "DELETE_COMPLETE";
    throw error;
  }
};
