/** Shorter words resemble too many others. */
const WORD_CHARS_MIN = 3;
const CHARS_PER_CHANGE = 3;
/** A change is an insertion, a deletion, a replacement, or a swap of neighbours. */
const CHANGES_MAX = 3;

export const changesBetween = (left: string, right: string): number => {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= left.length; row += 1) {
    const above = rows[row - 1] ?? [];
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      let least = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (row > 1 && column > 1 && isSwap) {
        least = Math.min(least, (rows[row - 2]?.[column - 2] ?? 0) + 1);
      }
      current.push(least);
    }
    rows.push(current);
  }
  return rows.at(-1)?.at(-1) ?? 0;
};

/** If candidates differ only in case, the one with the same case as the word wins. */
const isNearer = (word: string, candidate: string, best: string | null): boolean =>
  best !== null &&
  candidate.toLowerCase() === best.toLowerCase() &&
  changesBetween(word, candidate) < changesBetween(word, best);

export const didYouMean = (word: string, known: readonly string[]): string | null => {
  if (word.length < WORD_CHARS_MIN || known.includes(word)) return null;
  let least = Math.min(CHANGES_MAX, Math.floor(word.length / CHARS_PER_CHANGE)) + 1;
  let best: string | null = null;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= least + (best === null ? 0 : 1)) continue;
    const changes = changesBetween(word.toLowerCase(), candidate.toLowerCase());
    if (changes > least || (changes === least && !isNearer(word, candidate, best))) continue;
    least = changes;
    best = candidate;
  }
  return best;
};
