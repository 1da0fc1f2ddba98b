import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type BackupOptions, BackupRefused, backupFolder } from "./backup.ts";
import { verifyBackup } from "./restore.ts";

const NAME = /^hearth-\d{8}T\d{6}Z\.backup$/;
/** A killed backup leaves such a folder beside its file. It may contain the keys. */
const LEFT = /^hearth-\d{8}T\d{6}Z\.backup\.\w{6}$/;
const LEFT_MS_MIN = 86_400_000;

export interface KeptBackup {
  readonly file: string;
  readonly removed: readonly string[];
}

const nameAt = (takenAt: number): string => {
  const time = new Date(takenAt).toISOString().replace(/[-:]|\.\d+/g, "");
  return `hearth-${time}.backup`;
};

const removeLeft = (to: string, now: number): void => {
  for (const name of readdirSync(to).filter((found) => LEFT.test(found))) {
    const path = join(to, name);
    if (now - statSync(path).mtimeMs > LEFT_MS_MIN) rmSync(path, { recursive: true, force: true });
  }
};

/**
 * Makes a backup and verifies it before older ones are removed. Other files in the folder stay.
 * @throws BackupRefused or FolderRefused, without having removed a backup
 */
export const keepBackup = (
  to: string,
  keep: number,
  options: Omit<BackupOptions, "file">,
): KeptBackup => {
  if (!existsSync(to) || !statSync(to).isDirectory())
    throw new BackupRefused(
      `${to} is not a folder. Create it so that only the user of the host can read it.`,
    );
  removeLeft(to, options.takenAt);
  const file = join(to, nameAt(options.takenAt));
  backupFolder({ ...options, file });
  verifyBackup(file);
  const names = readdirSync(to).filter((name) => NAME.test(name));
  const removed = names
    .toSorted()
    .slice(0, -keep)
    .map((name) => join(to, name))
    .filter((path) => path !== file);
  for (const path of removed) rmSync(path);
  return { file, removed };
};
