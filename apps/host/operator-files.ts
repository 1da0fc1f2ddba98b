/** Checks of the files that the operator names: whether others may read one, and why it fails. */
import { accessSync, constants, statSync } from "node:fs";
import { logger } from "#functions/logger.ts";

const OTHERS = 0o007;

const isReadOnly = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EROFS";
  }
};

/**
 * Checks a file with a secret.
 *
 * Containers get their secrets in files that all users can read, and that they cannot change: the
 * file belongs to another user, or the mount is read-only. Such a file is accepted and logged.
 * @returns its mode, such as 0644, if every user of the machine has rights on it and its owner
 * could fix that; else null
 */
export const openMode = (path: string, what: string, user = process.getuid?.()): string | null => {
  const { mode, uid } = statSync(path);
  if ((mode & OTHERS) === 0) return null;
  if (uid !== user || isReadOnly(path)) {
    logger.info(`every user of the machine has rights on ${what}`, { path });
    return null;
  }
  return (mode & 0o777).toString(8).padStart(4, "0");
};

const REASONS: ReadonlyMap<unknown, string> = new Map([
  ["ENOENT", "there is no such file"],
  ["ENOTDIR", "there is no such file"],
  ["EISDIR", "it is a folder"],
  ["EACCES", "this user has no right to read it"],
  ["EPERM", "this user has no right to read it"],
  ["ELOOP", "it is a link to itself"],
  ["ENAMETOOLONG", "its name is too long"],
  ["EIO", "the disk reports an error"],
]);

export const whyUnreadable = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return REASONS.get(code) ?? `the system says ${String(code ?? error)}`;
};
