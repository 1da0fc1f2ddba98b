/** Backs up and restores a data folder. What the user can repair becomes a sentence. */
import { BackupRefused, backupFolder } from "#lib/adapters/sqlite/backup.ts";
import { FolderRefused } from "#lib/adapters/sqlite/private-files.ts";
import { type Restored, restoreFolder } from "#lib/adapters/sqlite/restore.ts";
import manifest from "../package.json" with { type: "json" };
import { CommandFailed } from "./failure.ts";

/** A full disk, an unreadable folder, a damaged file: Node and SQLite give these a code. */
const isOfTheMachine = (error: Error): boolean =>
  "code" in error && typeof error.code === "string" && /^E[A-Z]+$|SQLITE/.test(error.code);

const inASentence = <T>(what: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    const options = { cause: error };
    if (error instanceof BackupRefused || error instanceof FolderRefused)
      throw new CommandFailed(error.message, undefined, options);
    if (error instanceof Error && isOfTheMachine(error))
      throw new CommandFailed(`${what} failed: ${error.message}.`, undefined, options);
    throw error;
  }
};

export const makeBackup = (folder: string, file: string, takenAt: Date): void =>
  inASentence("The backup", () =>
    backupFolder({ folder, file, version: manifest.version, takenAt: takenAt.getTime() }),
  );

export const restoreBackup = (file: string, folder: string): Restored =>
  inASentence("The restore", () => restoreFolder(file, folder));
