export const STACK_ACTIONS = [
  "CREATE",
  "UPDATE",
  "DELETE",
  "ROLLBACK",
  "SUSPEND",
  "RESUME",
  "CHECK",
  "ADOPT",
  "SNAPSHOT",
  "RESTORE",
] as const;

export type StackAction = (typeof STACK_ACTIONS)[number];

export const OPERATION_ACTIONS = [
  "CREATE",
  "UPDATE",
  "DELETE",
  "SUSPEND",
  "RESUME",
  "CHECK",
  "ADOPT",
  "SNAPSHOT",
] as const;

export type OperationAction = (typeof OPERATION_ACTIONS)[number];

/** INIT is the state of a row that no operation has claimed yet. */
export const RESOURCE_ACTIONS = ["INIT", ...OPERATION_ACTIONS] as const;

export type ResourceAction = (typeof RESOURCE_ACTIONS)[number];

export const STATUSES = ["IN_PROGRESS", "COMPLETE", "FAILED"] as const;

export type Status = (typeof STATUSES)[number];
