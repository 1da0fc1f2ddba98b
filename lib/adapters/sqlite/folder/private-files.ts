/**
 * The files of a data folder, which only their owner may read. If a file cannot be used, the error
 * says why.
 */
import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { isDamage, lacksRoom, passingFault } from "../storage-faults.ts";

export class FolderRefused extends Error {
  override readonly name = "FolderRefused";
}

export const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;
export const OTHERS = 0o077;

export const RESTORE = "Restore it from a backup, or name an empty folder with --data.";

/**
 * Returns the folders that this process has created, outermost first. Node's own recursive mkdir
 * never returns on some file systems, and hides the reason of a failure.
 */
export const makeFolder = (folder: string): readonly string[] => {
  if (existsSync(folder)) return [];
  const above = makeFolder(dirname(resolve(folder)));
  try {
    mkdirSync(folder, FOLDER_MODE);
    flushName(resolve(folder));
    return [...above, resolve(folder)];
  } catch (error) {
    if (existsSync(folder)) return above;
    throw error;
  }
};

/** Only its owner may be able to list the parent folder. Then it cannot be flushed. */
export const flushName = (path: string): void => {
  try {
    flush(dirname(path));
  } catch (error) {
    if (codeOf(error) !== "EACCES") throw error;
  }
};

export interface PrivateFile {
  readonly handle: number;
  readonly isNew: boolean;
}

const openOrMake = (path: string): PrivateFile => {
  try {
    return { handle: openSync(path, "ax", FILE_MODE), isNew: true };
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    return { handle: openSync(path, "a", FILE_MODE), isNew: false };
  }
};

export const openPrivate = (path: string): PrivateFile => {
  try {
    const file = openOrMake(path);
    try {
      fchmodSync(file.handle, FILE_MODE);
      return file;
    } catch (error) {
      closeSync(file.handle);
      throw error;
    }
  } catch (error) {
    throw unusable(path, error);
  }
};

/** SQLite gives the files beside the database the same mode, whatever the umask is. */
export const makePrivate = (path: string): void => {
  try {
    makeFolder(dirname(path));
  } catch (error) {
    throw unusable(path, error);
  }
  closeSync(openPrivate(path).handle);
};

/**
 * Writes a new file and renames it, because half-written keys would make all sealed data
 * unreadable. The folder is flushed too. Otherwise the former keys could return after a power
 * failure, and refuse what new keys signed.
 */
export const writeWhole = (path: string, text: string): void => {
  const beside = `${path}.new`;
  const file = openSync(beside, "w", FILE_MODE);
  try {
    // The umask may have removed rights, and a left-over file may have more.
    fchmodSync(file, FILE_MODE);
    keepOwner(file, path);
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beside, path);
  flush(dirname(path));
};

export const flush = (path: string): void => {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

/**
 * Root may rotate the keys of a host that another user runs, and that user must be able to read
 * them.
 */
const keepOwner = (file: number, path: string): void => {
  const former = statSync(path, { throwIfNoEntry: false });
  if (former === undefined || process.getuid?.() !== 0) return;
  fchownSync(file, former.uid, former.gid);
};

export const refuseShared = (path: string, mode: number): void => {
  if ((mode & OTHERS) === 0) return;
  const shown = (mode & 0o777).toString(8).padStart(4, "0");
  throw new FolderRefused(
    `Others can read the keys in ${path} (mode ${shown}). Run chmod 600 on it if nobody has read them.`,
  );
};

export const unusable = (path: string, error: unknown): FolderRefused => {
  const options = { cause: error };
  if (error instanceof FolderRefused) return error;
  if (isDamage(error)) return new FolderRefused(`${path} is damaged. ${RESTORE}`, options);
  const fault = passingFault(error) ?? SYSTEM_FAULTS.get(codeOf(error)) ?? null;
  const reason = fault ?? (error instanceof Error ? error.message : String(error));
  return new FolderRefused(`${path} cannot be used: ${reason}.`, options);
};

const NO_ROOM: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);

/** Whether a folder is refused for a lack of room, as far as a log of ours may be what takes it. */
export const isFullDisk = (error: unknown): boolean =>
  error instanceof FolderRefused && (lacksRoom(error.cause) || NO_ROOM.has(codeOf(error.cause)));

export const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

const SYSTEM_FAULTS: ReadonlyMap<unknown, string> = new Map([
  ["EACCES", "this user has no right to it"],
  ["EPERM", "this user has no right to it"],
  ["EROFS", "the file system is mounted read-only"],
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk quota is used up"],
  ["EIO", "the disk reports an error"],
  ["EISDIR", "it is a folder"],
  ["ENOENT", "its folder is missing"],
  ["ELOOP", "it is a link to itself"],
  ["ENAMETOOLONG", "its name is too long"],
]);
