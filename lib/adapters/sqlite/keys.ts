/** The secrets of one data folder. They are created at its first start and written only there. */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ENCRYPTION_KEY_BYTES, SIGNING_KEY_BYTES_MIN, type SigningKey } from "../node/keys.ts";
import { IN_MEMORY } from "./database.ts";

export interface HostKeys {
  /** The first key signs, all keys verify. */
  readonly signing: readonly SigningKey[];
  readonly encryption: Uint8Array;
}

export const KEYS_FILE = "keys.json";
const SIGNING_KEYS_MAX = 2;

const secret = z.base64().transform((text) => new Uint8Array(Buffer.from(text, "base64")));
const KeysFile = z.strictObject({
  signing: z
    .array(
      z.strictObject({
        kid: z.string().min(1),
        secret: secret.refine((bytes) => bytes.length >= SIGNING_KEY_BYTES_MIN, "too short"),
      }),
    )
    .min(1)
    .max(SIGNING_KEYS_MAX),
  encryption: secret.refine((bytes) => bytes.length === ENCRYPTION_KEY_BYTES, "wrong length"),
});

const freshKeys = () => ({
  signing: [
    {
      kid: randomBytes(4).toString("hex"),
      secret: randomBytes(SIGNING_KEY_BYTES_MIN).toString("base64"),
    },
  ],
  encryption: randomBytes(ENCRYPTION_KEY_BYTES).toString("base64"),
});

const readIfThere = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
};

/** Writes a new file and renames it. Half-written keys would make all sealed data unreadable. */
export const writeWhole = (path: string, text: string): void => {
  const beside = `${path}.new`;
  const file = openSync(beside, "w", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beside, path);
};

/** The caller must hold the folder's lock. Keys for ":memory:" exist only in this process. */
export const loadOrCreateKeys = (place: string): HostKeys => {
  if (place === IN_MEMORY) return KeysFile.parse(freshKeys());
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const path = join(place, KEYS_FILE);
  const stored = readIfThere(path);
  if (stored !== null) return KeysFile.parse(JSON.parse(stored));
  const made = freshKeys();
  writeWhole(path, `${JSON.stringify(made, null, 2)}\n`);
  return KeysFile.parse(made);
};
