/** Writes files so that a crash or a power failure leaves them whole or absent. */
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { failureCode } from "./json.ts";

const writeTemporary = (path: string, text: string): string => {
  const temporary = `${path}.${process.pid}`;
  const file = openSync(temporary, "w", 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return temporary;
};

export const syncFolder = (path: string): void => {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};

/** The parent folder may be readable by its owner only. Then it cannot be synced. */
export const syncNameOf = (path: string): void => {
  try {
    syncFolder(dirname(path));
  } catch (error) {
    if (failureCode(error) !== "EACCES") throw error;
  }
};

export const replaceDurably = (path: string, text: string): void => {
  renameSync(writeTemporary(path, text), path);
  syncFolder(dirname(path));
};

/** Unlike a rename, a link fails if the name exists, so a file is created only once. */
export const createDurably = (path: string, text: string): boolean => {
  const temporary = writeTemporary(path, text);
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (failureCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  // A new name is durable only after its folder is synced too.
  syncFolder(dirname(path));
  return true;
};
