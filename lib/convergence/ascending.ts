/**
 * @returns the index of the last item that is not greater than `value`, or 0 when all are greater.
 */
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
