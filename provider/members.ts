/**
 * The functions of a type. This module needs no schema, because the types of the package name it.
 */

/** Which function of a type does an action. */
export const MEMBER_OF = {
  CREATE: "create",
  UPDATE: "update",
  DELETE: "delete",
  CHECK: "check",
  SUSPEND: "suspend",
  RESUME: "resume",
  SNAPSHOT: "snapshot",
} as const;

/** A type may have them. It must have create and delete. */
export const OPTIONAL_FUNCTIONS = [
  "update",
  "check",
  "poll",
  "find",
  "cancel",
  "list",
  "suspend",
  "resume",
  "snapshot",
] as const;
export const FUNCTIONS = ["create", "delete", ...OPTIONAL_FUNCTIONS] as const;

export type FunctionName = (typeof FUNCTIONS)[number];
