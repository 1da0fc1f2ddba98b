/** Lists of positions in ascending order. */

/** The index of the last one that is not greater than `value`. 0 if there is none. */
export const lastUpTo = (ascending: readonly number[], value: number): number => {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((ascending[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
};

export const indexAmong = (ascending: readonly number[], value: number): number | null => {
  const index = lastUpTo(ascending, value);
  return ascending[index] === value ? index : null;
};
