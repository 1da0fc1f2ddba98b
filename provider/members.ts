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
