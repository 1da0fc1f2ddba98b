import type { Stack } from "#lib/model/stack.ts";

/** P3.0: no traversal runs, or another one than the message's. */
export const isStale = (stack: Stack, message: { readonly traversalId: string }): boolean =>
  stack.traversalId !== message.traversalId || stack.status !== "IN_PROGRESS";
