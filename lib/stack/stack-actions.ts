import type { StackAction } from "#lib/model/action.ts";

const CONVERGING: ReadonlySet<StackAction> = new Set([
  "CREATE",
  "ADOPT",
  "UPDATE",
  "RESTORE",
  "ROLLBACK",
]);

/** The traversal creates, updates, replaces and removes rows until the stack matches its target. */
export const convergesTo = (action: StackAction): boolean => CONVERGING.has(action);

export const canRollBack = (action: StackAction): boolean =>
  convergesTo(action) && action !== "ROLLBACK";
