/**
 * Distinguishes faults of the storage below SQLite from errors of a statement. Faults end by
 * themselves or when an operator acts. Errors of a statement are our own bugs.
 */

const PRIMARY_CODE = 0xff;
const FULL = 13;
const PASSING: ReadonlyMap<number, string> = new Map([
  [5, "another process has locked it"],
  [6, "another process has locked it"],
  [7, "there is no memory left"],
  [8, "it cannot be written"],
  [10, "the disk reports an error"],
  [FULL, "the disk is full"],
  [14, "it cannot be opened"],
]);
/**
 * SQLITE_IOERR_SHMSIZE: the file of the shared memory could not grow, usually because the disk is
 * full.
 */
const NO_SHARED_MEMORY = 4_874;
const DAMAGED: ReadonlySet<number> = new Set([11, 26]);

const codeOf = (error: unknown): number | null =>
  error instanceof Error && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode
    : null;

const primaryCodeOf = (error: unknown): number | null => {
  const code = codeOf(error);
  return code === null ? null : code & PRIMARY_CODE;
};

export const passingFault = (error: unknown): string | null => {
  if (codeOf(error) === NO_SHARED_MEMORY) return "the disk is full, or reports an error";
  const code = primaryCodeOf(error);
  return code === null ? null : (PASSING.get(code) ?? null);
};

/** Whether the disk, or what this user may have of it, is full. */
export const lacksRoom = (error: unknown): boolean =>
  codeOf(error) === NO_SHARED_MEMORY || primaryCodeOf(error) === FULL;

/** Whether the file contains something that SQLite did not write. Waiting does not fix that. */
export const isDamage = (error: unknown): boolean => {
  const code = primaryCodeOf(error);
  return code !== null && DAMAGED.has(code);
};
