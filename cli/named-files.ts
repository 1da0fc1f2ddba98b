/**
 * Which files a template may name. A template may be a stranger's, and what it names is read and
 * sent. So without `--allow-files` only what lies beside the files that the user has named himself,
 * and is not hidden: a template in a home folder reaches no `.ssh` there.
 */
import { realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, sep } from "node:path";

/** Null: it is not there, and its reading says so. */
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

/** Undefined: what lies beside the files that are named. */
export const allowed = (allowFiles: boolean): MayRead | undefined =>
  allowFiles ? ANY_FILE : undefined;

/** `named` are the paths of the template and the environments. Links are followed first. */
export const besideFiles = (named: readonly string[]): MayRead => {
  const folders = named.flatMap((path) => realPath(dirname(path)) ?? []);
  return (path) => {
    const real = realPath(path);
    return real === null || folders.some((folder) => isBelow(folder, real));
  };
};
