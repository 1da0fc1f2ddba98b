/** How long the types that live inside Hearth may take. All of them keep their tokens: their ids are made of them. */
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { STACK_TIMEOUT_MINS_MAX } from "#lib/stack/limits.ts";

const CALL_MS_MAX = 30_000;
const OPERATION_MS_MAX = 24 * 3_600_000;

export const OWN_TYPE: Pick<
  ResourceType,
  "tokenPolicy" | "callMsMax" | "operationMsMax" | "interruptible" | "repairable"
> = {
  tokenPolicy: { tokens: "kept" },
  callMsMax: CALL_MS_MAX,
  operationMsMax: OPERATION_MS_MAX,
  interruptible: false,
  repairable: false,
};

/** What waits as long as a stack may. */
export const STACK_OPERATION_MS_MAX = STACK_TIMEOUT_MINS_MAX * 60_000;

/** What the types share whose object is a stack of ours: overtaken it is taken over, failed it is mended in place. */
export const NESTED_TYPE: typeof OWN_TYPE = {
  ...OWN_TYPE,
  operationMsMax: STACK_OPERATION_MS_MAX,
  interruptible: true,
  repairable: true,
};
