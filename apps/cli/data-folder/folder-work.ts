/**
 * Runs the work of a command on a data folder, without its host. An error that the user can fix
 * becomes a CommandFailed. All other errors are bugs of ours, and are thrown on.
 */

import { TokenRefused } from "#host/credentials.ts";
import { ownCommit } from "#host/own-version.ts";
import { diskSpace } from "#lib/adapters/sqlite/disk-space.ts";
import { BackupRefused, backupFolder } from "#lib/adapters/sqlite/folder/backup.ts";
import { type CheckedFile, checkUpgrade } from "#lib/adapters/sqlite/folder/folder-version.ts";
import { type KeptBackup, keepBackup } from "#lib/adapters/sqlite/folder/kept-backups.ts";
import { FolderRefused } from "#lib/adapters/sqlite/folder/private-files.ts";
import {
  type Restored,
  type Revived,
  restoreFolder,
  verifyBackup,
} from "#lib/adapters/sqlite/folder/restore.ts";
import { RetryLater } from "#lib/errors.ts";
import manifest from "../../../package.json" with { type: "json" };
import { CommandFailed } from "../failure.ts";
import { printer } from "../session.ts";

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

const mebibytes = (bytes: number): string => `${Math.ceil(bytes / 1_048_576)} MiB`;

const fileLine = ({ file, found, known, damage }: CheckedFile): string => {
  if (damage !== null) return `${file} is damaged: ${damage.replaceAll(/\s+/g, " ")}`;
  if (found === known) return `${file} has the schema of this version (${known}).`;
  return `${file} would be upgraded from schema ${found} to ${known}. Only a backup leads back.`;
};

/** The room is only a wish: without it the host starts, and shrinks the files at a later start. */
const roomLine = (needed: number, free: number): readonly string[] => {
  if (needed === 0) return [];
  const room = `The files would be made small, which needs ${mebibytes(needed)} of the disk; ${mebibytes(free)} are free.`;
  return [needed <= free ? room : `${room} Without that a later start does it.`];
};

/** @throws CommandFailed when the folder is damaged or this version cannot use it. */
export const checkFolder = (folder: string, json: boolean): void => {
  const checked = folderWork("The check failed", () => checkUpgrade(folder));
  const { files, lastUsedBy } = checked;
  const neededBytes = files.reduce((sum, file) => sum + file.neededBytes, 0);
  const { freeBytes } = diskSpace(folder);
  const isUpgrade = files.some(({ found, known }) => found !== known);
  const own = { version: manifest.version, commit: ownCommit() };
  const commit = own.commit === null ? "" : ` (commit ${own.commit})`;
  printer(json)({ ...checked, ...own, is_upgrade: isUpgrade, free_bytes: freeBytes }, () => [
    `${folder} was last used by ${lastUsedBy ?? "a version that left no name"}. This is Hearth ${own.version}${commit}.`,
    ...files.map(fileLine),
    ...roomLine(neededBytes, freeBytes),
    isUpgrade
      ? `Nothing was changed. Stop the host, "hearth backup FILE --data ${folder}", then start this version.`
      : "Nothing was changed, and nothing would be upgraded.",
  ]);
  if (files.some(({ damage }) => damage !== null))
    throw new CommandFailed(`${folder} is damaged. Restore a backup.`);
};
