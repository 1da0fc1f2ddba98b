/** Lists of numbers that stand for sets and multisets: kept in order, so that equal ones are equal lists. */

export const insertSorted = (list: number[], value: number): void => {
  let at = list.length;
  while (at > 0 && (list[at - 1] ?? 0) > value) at--;
  list.splice(at, 0, value);
};

/** Takes one occurrence out. */
export const removeOne = (list: number[], value: number): void => {
  const at = list.indexOf(value);
  if (at >= 0) list.splice(at, 1);
};

/** Puts `after` in the place of `before`, where it belongs; -1 is absent. */
export const exchange = (list: number[], before: number, after: number): void => {
  if (before === after) return;
  removeOne(list, before);
  if (after >= 0) insertSorted(list, after);
};
