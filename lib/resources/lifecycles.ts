/** Lifecycles that types share. Types inside Hearth honour tokens, because ids derive from them. */
import type { Lifecycle } from "#lib/ports/resource-type.ts";
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
