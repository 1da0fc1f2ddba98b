export const HOOKS = [
  "pre-create",
  "pre-update",
  "pre-delete",
  "post-create",
  "post-update",
  "post-delete",
] as const;

export type Hook = (typeof HOOKS)[number];

export const RESTRICTED_ACTIONS = ["update", "replace"] as const;

export type RestrictedAction = (typeof RESTRICTED_ACTIONS)[number];
