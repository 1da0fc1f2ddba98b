import * as z from "zod/mini";
import { BARRIER_TYPE } from "#lib/groups/barriers.ts";
import { plainNumber } from "#lib/json-schema.ts";
import type { Handler, Progress, ResourceType } from "#lib/ports/resource-type.ts";
import { STACK_LIFECYCLE } from "#lib/resources/lifecycles.ts";

const SECOND_MS = 1_000;

const given = z.object({ pause_time: plainNumber });

const pause: Handler = async (call, { clock, ids }) => {
  const { pause_time } = given.parse(call.properties);
  const physicalResourceId = call.physicalResourceId ?? ids.derive(call.token);
  const now = clock.now();
  return untilTime(now + pause_time * SECOND_MS, now, { physicalResourceId });
};

const untilTime = (
  end: number,
  now: number,
  known: { readonly physicalResourceId?: string } = {},
): Progress =>
  now >= end
    ? { state: "finished", ...known }
    : { state: "waiting", handle: String(end), pollAfterMs: end - now, ...known };

/**
 * Groups put it between two batches of their members. It is done `pause_time` seconds after
 * everything that it depends on. When the members are deleted it delays nothing.
 */
export const barrier: ResourceType = {
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
    handleCreate: pause,
    handleUpdate: pause,
    handleDelete: async () => ({ state: "finished", physicalResourceId: null }),
    checkComplete: async (_call, handle, { clock }) => untilTime(Number(handle), clock.now()),
  },
  // A newer update ends the pause of an older one.
  waiting: {},
  ordering: "barrier",
};
