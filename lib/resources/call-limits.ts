/** How long the types that live inside Hearth may take. All of them keep their tokens: their ids are made of them. */
import type { ResourceType } from "#lib/ports/resource-type.ts";

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
