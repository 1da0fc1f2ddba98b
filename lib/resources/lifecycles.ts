/** Lifecycles that types share. Types inside Hearth honour tokens, because ids derive from them. */
import type { Handler, Lifecycle } from "#lib/ports/resource-type.ts";
import { STACK_TIMEOUT_MINS_MAX } from "#lib/stack/limits.ts";

const CALL_MS_MAX = 30_000;
const OPERATION_MS_MAX = 24 * 3_600_000;

export const OWN_LIFECYCLE: Lifecycle = {
  tokenPolicy: { tokens: "kept" },
  callMsMax: CALL_MS_MAX,
  operationMsMax: OPERATION_MS_MAX,
};

export const STACK_LIFECYCLE: Lifecycle = {
  ...OWN_LIFECYCLE,
  operationMsMax: STACK_TIMEOUT_MINS_MAX * 60_000,
  repairable: true,
};

/**
 * Wraps a delete that reads its properties. If a resource's properties failed to resolve, it has
 * none and nothing was ever created. So there is nothing to remove.
 */
export const deleteOfResolved =
  (remove: Handler): Handler =>
  async (call, context) =>
    call.physicalResourceId === null && Object.keys(call.properties).length === 0
      ? { state: "finished", physicalResourceId: null }
      : remove(call, context);
