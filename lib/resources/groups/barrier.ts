import * as z from "zod/mini";
import type { Handler, Progress, ResourceType } from "#lib/ports/resource-type.ts";
import { OWN_TYPE, STACK_OPERATION_MS_MAX } from "#lib/resources/call-limits.ts";

export const BARRIER_TYPE = "Hearth::Barrier";

const SECOND_MS = 1_000;

const given = z.object({ pause_time: z.number() });

/** Overtaken it ends like whatever waits for the outside, so that no update has to sit out an older one's pause. */
const pause: Handler = async (call, ports) => {
  const { pause_time } = given.parse(call.properties);
  const physicalResourceId = call.physicalResourceId ?? ports.ids.derive(call.token);
  const now = ports.clock.now();
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

const nothing: Handler = async () => ({ state: "finished", physicalResourceId: null });

/**
 * What the groups put between two batches of their members: done when all that it depends on is done, and
 * then `pause_time` seconds later. It is Hearth's own, and holds nothing up when the members go.
 */
export const barrier: ResourceType = {
  ...OWN_TYPE,
  operationMsMax: STACK_OPERATION_MS_MAX,
  type: BARRIER_TYPE,
  isHidden: true,
  interruptible: true,
  repairable: true,
  ordersOnly: true,
  description: "Lets what depends on it begin when what it depends on is done, after a pause.",
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
  handleCreate: pause,
  handleUpdate: pause,
  handleDelete: nothing,
  checkComplete: async (_call, handle, { clock }) => untilTime(Number(handle), clock.now()),
};
