/** Backs up and restores a data folder. */
import { backupFolder } from "#lib/adapters/sqlite/backup.ts";
import { type Restored, restoreFolder } from "#lib/adapters/sqlite/restore.ts";
import manifest from "../package.json" with { type: "json" };
import { folderWork } from "./folder-work.ts";

export const makeBackup = (folder: string, file: string, takenAt: Date): void =>
  folderWork("The backup failed", () =>
    backupFolder({ folder, file, version: manifest.version, takenAt: takenAt.getTime() }),
  );

export const restoreBackup = (file: string, folder: string): Restored =>
  folderWork("The restore failed", () => restoreFolder(file, folder));
