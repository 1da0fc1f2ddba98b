/** The word that somebody may have meant who wrote another one. */

/** A shorter word has too many neighbours. */
const WORD_CHARS_MIN = 3;
/** One change for so many characters. */
const CHARS_PER_CHANGE = 3;
/** Insertions, deletions, replacements, and swaps of neighbours. */
const CHANGES_MAX = 3;

/** The number of changes between two words, with the swap of two neighbours as one. */
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

/** Of words that differ in their case only, the one that is written like the word. */
const isNearer = (word: string, candidate: string, best: string | null): boolean =>
  best !== null &&
  candidate.toLowerCase() === best.toLowerCase() &&
  changesBetween(word, candidate) < changesBetween(word, best);

/** Null: no known word is near, or the word is itself a known one. */
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
