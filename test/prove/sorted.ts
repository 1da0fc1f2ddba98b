/**
 * Sorted lists of numbers that stand for sets and multisets, so that equal sets are equal lists.
 */

export const insertSorted = (list: number[], value: number): void => {
  let at = list.length;
  while (at > 0 && (list[at - 1] ?? 0) > value) at--;
  list.splice(at, 0, value);
};

export const removeOne = (list: number[], value: number): void => {
  const at = list.indexOf(value);
  if (at >= 0) list.splice(at, 1);
};

/** Replaces `before` by `after` and keeps the order. -1 means absent. */
export const exchange = (list: number[], before: number, after: number): void => {
  if (before === after) return;
  removeOne(list, before);
  if (after >= 0) insertSorted(list, after);
};
