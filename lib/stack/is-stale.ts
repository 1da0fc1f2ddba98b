import type { Stack } from "#lib/model/stack.ts";

/** P3.0: the traversal of the message is not the one that runs. */
export const isStale = (stack: Stack, message: { readonly traversalId: string }): boolean =>
  stack.traversalId !== message.traversalId || stack.status !== "IN_PROGRESS";
