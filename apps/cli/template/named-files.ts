/**
 * Which files a template may name. A template may come from a stranger, and the files that it names
 * are read and sent. So without `--allow-files` it reaches only files below the folders of the
 * files that the user has named, and no hidden ones: a template in a home folder reaches no `.ssh`
 * there.
 */
import { realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, sep } from "node:path";

const realPath = (path: string): string | null => {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
};

const isBelow = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return !isAbsolute(way) && way.split(sep).every((part) => !part.startsWith("."));
};

export type MayRead = (path: string) => boolean;

const ANY_FILE: MayRead = () => true;

export const allowed = (allowFiles: boolean): MayRead | undefined =>
  allowFiles ? ANY_FILE : undefined;

/** `named` are the user's files. The check follows symbolic links first. */
export const besideFiles = (named: readonly string[]): MayRead => {
  const folders = named.flatMap((path) => realPath(dirname(path)) ?? []);
  return (path) => {
    const real = realPath(path);
    return real === null || folders.some((folder) => isBelow(folder, real));
  };
};

const SCHEME = "hearth:";

/** Stubs replace everything that needs a cloud, a machine or a user. The rest is real. */
export const STUBS = `${SCHEME}stubs`;

/** Servers are machines of the user's inventory. A cloud's other objects are only recorded. */
export const EXISTING_MACHINES = `${SCHEME}existing-machines`;

export const INVENTORY = `${SCHEME}inventory=`;

export const inventoryName = (file: string): string => INVENTORY + file;

export const isBuiltIn = (name: string): boolean => name.startsWith(SCHEME);
