/** What the actions of a stack have in common. */
import type { StackAction } from "#lib/model/action.ts";

const CONVERGING: ReadonlySet<StackAction> = new Set([
  "CREATE",
  "ADOPT",
  "UPDATE",
  "RESTORE",
  "ROLLBACK",
]);

/** The traversal brings the stack to its target: rows are created, updated, replaced and removed. */
export const convergesTo = (action: StackAction): boolean => CONVERGING.has(action);

/** What fails is rolled back, where that is enabled. */
export const canRollBack = (action: StackAction): boolean =>
  convergesTo(action) && action !== "ROLLBACK";
