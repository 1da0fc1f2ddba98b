/**
 * Runs the work of a command on a data folder, without its host. An error that the user can fix
 * becomes a CommandFailed. All other errors are bugs of ours, and are thrown on.
 */
import { TokenRefused } from "#host/api-tokens.ts";
import { BackupRefused } from "#lib/adapters/sqlite/folder/backup.ts";
import { FolderRefused } from "#lib/adapters/sqlite/folder/private-files.ts";
import { RetryLater } from "#lib/errors.ts";
import { CommandFailed } from "./failure.ts";

const isRefusal = (error: Error): boolean =>
  [FolderRefused, BackupRefused, TokenRefused].some((refusal) => error instanceof refusal);

/** Node and SQLite give a code to errors such as a full disk or another process's lock. */
const isOfTheMachine = (error: Error): boolean =>
  error instanceof RetryLater ||
  ("code" in error && typeof error.code === "string" && /^E[A-Z]+$|SQLITE/.test(error.code));

export const folderWork = <T>(outcome: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const options = { cause: error };
    if (isRefusal(error)) throw new CommandFailed(error.message, undefined, options);
    if (isOfTheMachine(error))
      throw new CommandFailed(`${outcome}: ${error.message}.`, undefined, options);
    throw error;
  }
};
