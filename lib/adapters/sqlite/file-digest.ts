/**
 * Appends a digest to a SQLite file. SQLite's own check examines the structure of a file, and would
 * not find a changed letter in a value.
 */
import { createHash } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  fstatSync,
  openSync,
  readSync,
  statSync,
  truncateSync,
} from "node:fs";

const ALGORITHM = "sha256";
const DIGEST_BYTES = 32;
const READ_BYTES = 1_048_576;

const digestOf = (file: number, bytes: number): Buffer => {
  const hash = createHash(ALGORITHM);
  const part = Buffer.alloc(READ_BYTES);
  for (let at = 0; at < bytes; ) {
    const read = readSync(file, part, 0, Math.min(READ_BYTES, bytes - at), at);
    if (read === 0) break;
    hash.update(part.subarray(0, read));
    at += read;
  }
  return hash.digest();
};

const reading = <T>(path: string, read: (file: number, bytes: number) => T): T => {
  const file = openSync(path, "r");
  try {
    return read(file, fstatSync(file).size);
  } finally {
    closeSync(file);
  }
};

export const appendDigest = (path: string): void => {
  appendFileSync(path, reading(path, digestOf));
};

export const hasItsDigest = (path: string): boolean =>
  reading(path, (file, size) => {
    const bytes = size - DIGEST_BYTES;
    if (bytes < 0) return false;
    const stored = Buffer.alloc(DIGEST_BYTES);
    readSync(file, stored, 0, DIGEST_BYTES, bytes);
    return stored.equals(digestOf(file, bytes));
  });

export const dropDigest = (path: string): void => {
  truncateSync(path, statSync(path).size - DIGEST_BYTES);
};
