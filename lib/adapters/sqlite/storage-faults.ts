/**
 * The faults of the storage below SQLite, told apart from errors of a statement. The first pass by
 * themselves or when an operator acts. A statement's error is ours.
 */

/** SQLite's primary result codes. The extended codes keep them in their lowest byte. */
const PRIMARY_CODE = 0xff;
const PASSING: ReadonlyMap<number, string> = new Map([
  [5, "another process has locked it"],
  [6, "another process has locked it"],
  [7, "there is no memory left"],
  [8, "it cannot be written"],
  [10, "the disk reports an error"],
  [13, "the disk is full"],
  [14, "it cannot be opened"],
]);
const DAMAGED: ReadonlySet<number> = new Set([11, 26]);

const primaryCodeOf = (error: unknown): number | null =>
  error instanceof Error && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode & PRIMARY_CODE
    : null;

/** What is wrong with the storage, as the end of a sentence about the file. Null: nothing is. */
export const passingFault = (error: unknown): string | null => {
  const code = primaryCodeOf(error);
  return code === null ? null : (PASSING.get(code) ?? null);
};

/** Whether the file holds what SQLite did not write. Waiting does not mend that. */
export const isDamage = (error: unknown): boolean => {
  const code = primaryCodeOf(error);
  return code !== null && DAMAGED.has(code);
};
