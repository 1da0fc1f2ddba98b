/** Writes documents that have values in clear, so only their owner may read them. */
import {
  closeSync,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { resolve } from "node:path";
import { flushName } from "#lib/adapters/sqlite/private-files.ts";
import { badUsage, CommandFailed } from "./failure.ts";

const OWNER_ONLY = 0o600;

/** A file that can be written. Until it is written, a former file keeps its content. */
export interface PrivateFile {
  readonly write: (text: string) => void;
  /** Leaves what was there before. */
  readonly discard: () => void;
}

const WHY_UNWRITABLE: Readonly<Record<string, string>> = {
  ENOENT: "there is no such folder",
  ENOTDIR: "there is no such folder",
  EISDIR: "it is a folder",
};

/** What the user has named wrongly is wrong usage. */
export const unwritable = (path: string, error: unknown): CommandFailed => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const why = WHY_UNWRITABLE[code];
  if (why !== undefined) return badUsage(`${path} cannot be written: ${why}.`);
  const text = error instanceof Error ? error.message : String(error);
  return new CommandFailed(`${path} cannot be written: ${text}`, undefined, { cause: error });
};

/** For a document that can be had only once: opened before it is asked for. */
export const openPrivateFile = (path: string): PrivateFile => {
  const isNew = !existsSync(path);
  const file = orUnwritable(path, () => openSync(path, "a", OWNER_ONLY));
  // A file that others can read keeps its rights when it is written over, so it loses them first.
  const write = (text: string): void => {
    try {
      if (fstatSync(file).isFile()) {
        fchmodSync(file, OWNER_ONLY);
        ftruncateSync(file);
      }
      writeFileSync(file, text);
      if (fstatSync(file).isFile()) {
        // It can be had only once, so it must outlive a power cut.
        fsyncSync(file);
        flushName(resolve(path));
      }
    } finally {
      closeSync(file);
    }
  };
  return {
    write: (text) => orUnwritable(path, () => write(text)),
    discard: () => {
      closeSync(file);
      if (isNew) rmSync(path, { force: true });
    },
  };
};

export const writePrivateFile = (path: string, text: string): void =>
  openPrivateFile(path).write(text);

const orUnwritable = <Result>(path: string, act: () => Result): Result => {
  try {
    return act();
  } catch (error) {
    throw unwritable(path, error);
  }
};
