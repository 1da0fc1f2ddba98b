import * as z from "zod/mini";
import { BARRIER_TYPE } from "#lib/groups/barriers.ts";
import { plainNumber } from "#lib/json-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Progress, ProviderCall, ResourceType } from "#lib/ports/resource-type.ts";
import { STACK_LIFECYCLE } from "../lifecycles.ts";
import { pollOlderOperations } from "../nested/older-operations.ts";

const SECOND_MS = 1_000;
const OLDER_POLL_MS = 5_000;
const OLDER = "older operations";

const given = z.object({ pause_time: plainNumber, after_older_operations: z.boolean() });

const begin = async (engine: Ports, call: ProviderCall): Promise<Progress> => {
  const { pause_time, after_older_operations } = given.parse(call.properties);
  const physicalResourceId = call.physicalResourceId ?? engine.ids.derive(call.token);
  if (after_older_operations && (await pollOlderOperations(engine, call)) === "some") {
    return { state: "waiting", handle: OLDER, pollAfterMs: OLDER_POLL_MS, physicalResourceId };
  }
  return untilTime(engine, call, engine.clock.now() + pause_time * SECOND_MS);
};

/** @returns when the pause ends, in milliseconds, or null when the barrier has no handle yet. */
export const endOfWait = (handle: string | null): number | "after older operations" | null => {
  if (handle === null) return null;
  return handle === OLDER ? "after older operations" : Number(handle);
};

const untilTime = (engine: Ports, call: ProviderCall, end: number): Progress => {
  const now = engine.clock.now();
  const physicalResourceId = call.physicalResourceId ?? engine.ids.derive(call.token);
  return now >= end
    ? { state: "finished", physicalResourceId }
    : { state: "waiting", handle: String(end), pollAfterMs: end - now, physicalResourceId };
};

/**
 * A barrier orders two batches of a group's members. It completes `pause_time` seconds after
 * everything that it depends on. It does not delay the deletion of members.
 */
export const barrier = (engine: Ports): ResourceType => ({
  type: BARRIER_TYPE,
  schema: {
    support: { status: "HIDDEN" },
    description: "Starts what depends on it when its own requirements are done, after a pause.",
    properties: {
      pause_time: {
        type: "number",
        description: "How many seconds to wait.",
        default: 0,
        updateAllowed: true,
        constraints: [{ range: { min: 0 } }],
      },
      after_older_operations: {
        type: "boolean",
        description: "Whether it first waits for operations that an earlier update has begun.",
        default: false,
        updateAllowed: true,
      },
      turn: {
        type: "string",
        description: "Another value makes it wait again.",
        updateAllowed: true,
      },
    },
    attributes: {},
  },
  lifecycle: {
    ...STACK_LIFECYCLE,
    handleCreate: (call) => begin(engine, call),
    handleUpdate: (call) => begin(engine, call),
    handleDelete: async () => ({ state: "finished", physicalResourceId: null }),
    checkComplete: async (call, handle) =>
      handle === OLDER ? begin(engine, call) : untilTime(engine, call, Number(handle)),
  },
  // A newer update ends the pause of an older one.
  waiting: {},
  ordering: "barrier",
});
