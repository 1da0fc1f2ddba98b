/** Whether a random run has come to its end, or waits for a user. */
import { isStale } from "#lib/stack/is-stale.ts";
import type { World } from "../world/world.ts";

/** A node of the current traversal waits for its user. */
export const isAwaited = ({ stack, rows }: World): boolean =>
  stack !== null && rows.some(({ pause }) => pause?.cleared === false && !isStale(stack, pause));

export const isAtRest = ({ stacks, allRows }: World): boolean =>
  [...stacks.values()].every(({ status }) => status !== "IN_PROGRESS") &&
  allRows.every((row) => row.operation === null);
