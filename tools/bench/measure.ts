import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { type Client, openClient, stackPath } from "#client/client.ts";
import { CreatedAnswer, StackAnswer } from "#client/wire.ts";
import { RequestError } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { type Counts, countsOf, probe, resetPeak } from "./host-usage.ts";
import type { Changed } from "./shapes.ts";

/**
 * Status requests cost the host time, so their interval grows with the operation to keep them below
 * a few percent. The pause is part of the result, and an update of one resource takes only 20 ms.
 */
const LOOK_MS_MIN = 2;
const LOOK_SHARE = 0.03;
const OPERATION_MS_MAX = 3_600_000;

export type Operation =
  | "create"
  | "no-op update"
  | "update of one"
  /** Updates another resource, so the rows have two template records. */
  | "second of one"
  | "update of all"
  | "full update"
  | "overtaken"
  | "delete";

export interface Measure {
  readonly operation: Operation;
  /** From the request to the first status request that finds the operation ended. */
  readonly ms: number;
  /** The counters of the host in this operation, with its processor time in `cpu_ms`. */
  readonly counts: Counts;
  /** The peak memory in this operation, or since the start where it cannot be reset. */
  readonly rssBytesMax: number;
  readonly waitMsMax: number;
}

type Identity = { readonly stack_name: string; readonly id: string };

const ALL: readonly Operation[] = [
  "create",
  "no-op update",
  "update of one",
  "second of one",
  "update of all",
  "full update",
  "overtaken",
  "delete",
];

export async function* measureStack(
  url: string,
  name: string,
  template: (changed: Changed) => JsonObject,
  operations = ALL,
): AsyncGenerator<Measure> {
  const client = openClient({ endpoint: url, project: "demo" });
  const stack = { stack_name: name, id: "" };
  let ofAllMs = 0;
  const put = async (changed: Changed, query = ""): Promise<void> => {
    const body = { template: template(changed) };
    await client.request("PUT", stackPath(stack) + query, z.unknown(), body);
  };
  const update = async (changed: Changed, query?: string): Promise<void> => {
    await put(changed, query);
    await end(client, stack, "UPDATE_COMPLETE");
  };
  const works: Readonly<Record<Operation, () => Promise<void>>> = {
    create: async () => {
      const body = { stack_name: name, template: template("none") };
      stack.id = (await client.request("POST", "/stacks", CreatedAnswer, body)).stack.id;
      await end(client, stack, "CREATE_COMPLETE");
    },
    "no-op update": () => update("none"),
    "update of one": () => update("last"),
    "second of one": () => update("first and last"),
    "update of all": () => update("all"),
    "full update": () => update("all", "?full=true"),
    overtaken: async () => {
      await put("none");
      await pause(ofAllMs / 2);
      await update("all");
    },
    delete: async () => {
      await client.request("DELETE", stackPath(stack), z.unknown());
      await end(client, stack, "DELETE_COMPLETE");
    },
  };
  for (const operation of operations) {
    const measured = await measure(url, operation, works[operation]);
    if (operation === "update of all") ofAllMs = measured.ms;
    yield measured;
  }
}

const measure = async (
  url: string,
  operation: Operation,
  work: () => Promise<void>,
): Promise<Measure> => {
  await resetPeak(url);
  const before = await countsOf(url);
  const endProbe = probe(url);
  const startedAt = performance.now();
  let [ms, waitMsMax] = [0, 0];
  // Without this the probe would fail when the host stops, and hide the first error.
  try {
    await work();
  } finally {
    ms = performance.now() - startedAt;
    waitMsMax = await endProbe();
  }
  const after = await countsOf(url);
  const counted = Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]);
  const rssBytesMax = after["rss_bytes_max"] ?? 0;
  return { operation, ms, counts: Object.fromEntries(counted), rssBytesMax, waitMsMax };
};

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

const statusOf = async (client: Client, stack: Identity): Promise<string> => {
  try {
    const path = `${stackPath(stack)}?resolve_outputs=false`;
    return (await client.request("GET", path, StackAnswer)).stack.stack_status;
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return "DELETE_COMPLETE";
    throw error;
  }
};
