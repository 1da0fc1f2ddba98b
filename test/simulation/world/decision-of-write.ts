import type { Resource } from "#lib/model/resource.ts";

export interface ShownDecision {
  /** Null: the write points at a replacement, whose id contains the traversal. */
  readonly traversalId: string | null;
  readonly isUpdate: boolean;
  /** "act UPDATE", "keep", "replace", "refuse" or "drop". */
  readonly word: string;
}

/**
 * @returns null when the write shows no decision. A handler of dead letters claims too, without
 * time for a call.
 */
export const decisionOfWrite = (before: Resource | null, after: Resource): ShownDecision | null => {
  if ((before?.operation ?? null) !== null) return null;
  const { operation, replacedBy, updateDone, cleanupDone, failed } = after;
  if (operation !== null) {
    const { traversalId, isUpdate, action, deadline, startedAt } = operation;
    return deadline > startedAt ? { traversalId, isUpdate, word: `act ${action}` } : null;
  }
  if (before === null) return null;
  if (replacedBy !== null && replacedBy !== before.replacedBy) {
    return { traversalId: null, isUpdate: true, word: "replace" };
  }
  if (updateDone !== null && updateDone !== before.updateDone) {
    return { traversalId: updateDone, isUpdate: true, word: "keep" };
  }
  if (cleanupDone !== null && cleanupDone !== before.cleanupDone) {
    return { traversalId: cleanupDone, isUpdate: false, word: "drop" };
  }
  const isRefused = failed !== null && failed.traversalId !== before.failed?.traversalId;
  return isRefused ? { ...failed, word: "refuse" } : null;
};
