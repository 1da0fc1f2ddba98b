import type { Stack } from "#lib/model/stack.ts";

/** P3.0: the message is of another traversal than the running one, or none runs. */
export const isStale = (stack: Stack, message: { readonly traversalId: string }): boolean =>
  stack.traversalId !== message.traversalId || stack.status !== "IN_PROGRESS";
