/**
 * Work of a command on a data folder, without its host. What a user can repair becomes a sentence.
 * All other errors are ours, and pass.
 */
import { TokenRefused } from "#host/api-tokens.ts";
import { BackupRefused } from "#lib/adapters/sqlite/backup.ts";
import { FolderRefused } from "#lib/adapters/sqlite/private-files.ts";
import { RetryLater } from "#lib/errors.ts";
import { CommandFailed } from "./failure.ts";

/** Their messages are whole sentences. */
const isRefusal = (error: Error): boolean =>
  [FolderRefused, BackupRefused, TokenRefused].some((refusal) => error instanceof refusal);

/** A full disk, an unreadable folder, a lock of another process: Node and SQLite give a code. */
const isOfTheMachine = (error: Error): boolean =>
  error instanceof RetryLater ||
  ("code" in error && typeof error.code === "string" && /^E[A-Z]+$|SQLITE/.test(error.code));

/** `outcome` says what has become of the work: "The backup failed". */
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
