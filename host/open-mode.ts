/** Files with secrets that every user of the machine can read. */
import { accessSync, constants, statSync } from "node:fs";
import { logger } from "#functions/logger.ts";

/** The rights of users who are neither the owner nor of the file's group. */
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
 * The rights of a file that every user has some of, such as 0644. Null: they have none.
 * A container gets its secrets in files that all its users can read. It cannot change them: they
 * are another user's, or the mount is read-only. They are taken, and a line in the log says so.
 * `what`: the secret. `user`: the one who runs the host.
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
