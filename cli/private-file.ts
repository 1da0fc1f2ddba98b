/** Writes documents that have values in clear, so only their owner may read them. */
import { closeSync, fchmodSync, fstatSync, openSync, writeFileSync } from "node:fs";

const OWNER_ONLY = 0o600;

/** A file that others can read keeps its rights when it is written over, so it loses them first. */
export const writePrivateFile = (path: string, text: string): void => {
  const file = openSync(path, "w", OWNER_ONLY);
  try {
    if (fstatSync(file).isFile()) fchmodSync(file, OWNER_ONLY);
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
};
