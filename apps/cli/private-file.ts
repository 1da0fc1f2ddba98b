/** Writes documents with values in clear text, which only their owner may read. */
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
import { flushName } from "#lib/adapters/sqlite/folder/private-files.ts";
import { badUsage, CommandFailed, codeOf, textOf } from "./failure.ts";

const OWNER_ONLY = 0o600;

export interface PrivateFile {
  readonly write: (text: string) => void;
  readonly discard: () => void;
}

const WHY_UNWRITABLE: Readonly<Record<string, string>> = {
  ENOENT: "there is no such folder",
  ENOTDIR: "there is no such folder",
  EISDIR: "it is a folder",
};

export const unwritable = (path: string, error: unknown): CommandFailed => {
  const why = WHY_UNWRITABLE[codeOf(error)];
  if (why !== undefined) return badUsage(`${path} cannot be written: ${why}.`);
  return new CommandFailed(`${path} cannot be written: ${textOf(error)}`, undefined, {
    cause: error,
  });
};

/** For a document that exists only once: the file is opened before the document is requested. */
export const openPrivateFile = (path: string): PrivateFile => {
  const isNew = !existsSync(path);
  const file = orUnwritable(path, () => openSync(path, "a", OWNER_ONLY));
  // An overwritten file keeps its mode, so others lose the right to read it first.
  const write = (text: string): void => {
    try {
      if (fstatSync(file).isFile()) {
        fchmodSync(file, OWNER_ONLY);
        ftruncateSync(file);
      }
      writeFileSync(file, text);
      if (fstatSync(file).isFile()) {
        // The document exists only once, so it must survive a power cut.
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
