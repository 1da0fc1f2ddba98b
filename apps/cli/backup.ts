import { backupFolder } from "#lib/adapters/sqlite/folder/backup.ts";
import { type KeptBackup, keepBackup } from "#lib/adapters/sqlite/folder/kept-backups.ts";
import {
  type Restored,
  type Revived,
  restoreFolder,
  verifyBackup,
} from "#lib/adapters/sqlite/folder/restore.ts";
import manifest from "../../package.json" with { type: "json" };
import { folderWork } from "./folder-work.ts";

export const makeBackup = (folder: string, file: string, takenAt: Date): void =>
  folderWork("The backup failed", () =>
    backupFolder({ folder, file, version: manifest.version, takenAt: takenAt.getTime() }),
  );

export const makeKeptBackup = (
  folder: string,
  to: string,
  keep: number,
  takenAt: Date,
): KeptBackup =>
  folderWork("The backup failed", () =>
    keepBackup(to, keep, { folder, version: manifest.version, takenAt: takenAt.getTime() }),
  );

export const checkBackup = (file: string): Restored =>
  folderWork("The check failed", () => verifyBackup(file));

export const restoreBackup = (file: string, folder: string): Restored & Revived =>
  folderWork("The restore failed", () => restoreFolder(file, folder, Date.now()));
