/** Imports no schema, because the published types name this module. */

export const MEMBER_OF = {
  CREATE: "create",
  UPDATE: "update",
  DELETE: "delete",
  CHECK: "check",
  SUSPEND: "suspend",
  RESUME: "resume",
  SNAPSHOT: "snapshot",
} as const;

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
