/** The secrets of one data folder. They are created at its first start and written only there. */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ENCRYPTION_KEY_BYTES, SIGNING_KEY_BYTES_MIN, type SigningKey } from "../node/keys.ts";
import { IN_MEMORY } from "./database.ts";
import {
  codeOf,
  FILE_MODE,
  FolderRefused,
  RESTORE,
  refuseShared,
  unusable,
} from "./private-files.ts";

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

/** Null if there is none. Throws FolderRefused if it is unreadable, or others can read it. */
const readIfThere = (path: string): string | null => {
  try {
    const file = openSync(path, "r");
    try {
      refuseShared(path, fstatSync(file).mode);
      return readFileSync(file, "utf8");
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw unusable(path, error);
  }
};

const parseKeys = (path: string, text: string): HostKeys => {
  try {
    return KeysFile.parse(JSON.parse(text));
  } catch (error) {
    throw new FolderRefused(`${path} holds no keys of Hearth. ${RESTORE}`, { cause: error });
  }
};

/** Writes a new file and renames it. Half-written keys would make all sealed data unreadable. */
export const writeWhole = (path: string, text: string): void => {
  const beside = `${path}.new`;
  const file = openSync(beside, "w", FILE_MODE);
  try {
    // The umask may have taken rights away, and a former file may have more.
    fchmodSync(file, FILE_MODE);
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beside, path);
};

/**
 * The caller must hold the folder's lock. Keys for ":memory:" exist only in this process. `sealed`:
 * the folder has records that only its own keys open, so new keys would lose them.
 */
export const loadOrCreateKeys = (place: string, sealed = false): HostKeys => {
  if (place === IN_MEMORY) return KeysFile.parse(freshKeys());
  const path = join(place, KEYS_FILE);
  const stored = readIfThere(path);
  if (stored !== null) return parseKeys(path, stored);
  if (sealed) {
    throw new FolderRefused(
      `${path} is missing, and the folder's stacks were sealed with it. ${RESTORE}`,
    );
  }
  const made = freshKeys();
  try {
    writeWhole(path, `${JSON.stringify(made, null, 2)}\n`);
  } catch (error) {
    throw unusable(path, error);
  }
  return KeysFile.parse(made);
};
