/** Lists of numbers as ranges, so that a group of many members has a short record. */

export interface Range {
  readonly from: number;
  readonly to: number;
}

export const numbersOf = ({ from, to }: Range): readonly number[] => {
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, at) => from + step * at);
};

const extended = ({ from, to }: Range, next: number): Range | null => {
  const step = next - to;
  if (Math.abs(step) !== 1) return null;
  return from === to || Math.sign(to - from) === step ? { from, to: next } : null;
};

export const rangesOf = (numbers: readonly number[]): readonly Range[] => {
  const ranges: Range[] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    const longer = last === undefined ? null : extended(last, number);
    if (longer === null) ranges.push({ from: number, to: number });
    else ranges.splice(-1, 1, longer);
  }
  return ranges;
};
