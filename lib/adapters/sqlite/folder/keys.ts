/** The secrets of one data folder, which its first start creates. */
import { randomBytes, randomInt } from "node:crypto";
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { present } from "#lib/errors.ts";
import { parseJson } from "#lib/json.ts";
import { beginningLife } from "#lib/ports/life.ts";
import {
  ENCRYPTION_KEY_BYTES,
  SIGNING_KEY_BYTES_MIN,
  type SigningKey,
} from "../../local/crypto.ts";
import { IN_MEMORY } from "../database.ts";
import {
  codeOf,
  FolderRefused,
  RESTORE,
  refuseShared,
  unusable,
  writeWhole,
} from "./private-files.ts";

interface HostSigningKey extends SigningKey {
  readonly made_at?: string | undefined;
}

export interface HostKeys {
  /** The first key signs, and all keys verify. A key is removed only after a leak. */
  readonly signing: readonly HostSigningKey[];
  readonly encryption: Uint8Array;
  readonly life?: number | undefined;
}

export const KEYS_FILE = "keys.json";
/**
 * @limit signing keys of one folder: the one that signs, and all before it
 * @beyond a rotation is refused; a rotation each quarter reaches it after sixteen years
 */
export const SIGNING_KEYS_MAX = 64;

const secret = z.base64().transform((text) => new Uint8Array(Buffer.from(text, "base64")));
const KeysFile = z.strictObject({
  signing: z
    .array(
      z.strictObject({
        kid: z.string().min(1),
        secret: secret.refine((bytes) => bytes.length >= SIGNING_KEY_BYTES_MIN, "too short"),
        made_at: z.iso.datetime().optional(),
      }),
    )
    .min(1)
    .max(SIGNING_KEYS_MAX),
  encryption: secret.refine((bytes) => bytes.length === ENCRYPTION_KEY_BYTES, "wrong length"),
  life: z.int().positive().optional(),
});

export const freshSigningKey = (): SigningKey => ({
  kid: randomBytes(4).toString("hex"),
  secret: new Uint8Array(randomBytes(SIGNING_KEY_BYTES_MIN)),
});

const freshKeys = (): HostKeys => ({
  signing: [freshSigningKey()],
  encryption: new Uint8Array(randomBytes(ENCRYPTION_KEY_BYTES)),
});

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

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/** The caller must hold the lock of the folder, or that of its database. */
export const writeKeys = (folder: string, { signing, encryption, life }: HostKeys): void => {
  const stored = {
    life,
    signing: signing.map((key) => ({ ...key, secret: base64(key.secret) })),
    encryption: base64(encryption),
  };
  writeWhole(join(folder, KEYS_FILE), `${JSON.stringify(stored, null, 2)}\n`);
};

export const beginLife = (folder: string, now: number): void => {
  const keys = present(readKeys(folder), "keys of a restored folder");
  const life = beginningLife(now, (below) => randomInt(below), keys.life ?? 0);
  writeKeys(folder, { ...keys, life });
};

/**
 * @returns null when the folder has no keys.
 * @throws FolderRefused; no error contains a secret
 */
export const readKeys = (folder: string): HostKeys | null => {
  const path = join(folder, KEYS_FILE);
  const text = readIfThere(path);
  if (text === null) return null;
  const keys = KeysFile.safeParse(jsonOrNull(text));
  if (keys.success) return keys.data;
  const places = keys.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  const wrong = places.join("; ").replace(/^: /, "");
  throw new FolderRefused(`${path} does not have the keys of Hearth (${wrong}). ${RESTORE}`);
};

/** The parser's own error would contain the text. */
const jsonOrNull = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
};

/**
 * The caller must hold the folder's lock. Keys for ":memory:" exist only in this process. If
 * `sealed` is set, the folder has records that only its own keys can open, so missing keys are an
 * error.
 */
export const loadOrCreateKeys = (place: string, sealed = false): HostKeys => {
  if (place === IN_MEMORY) return freshKeys();
  const stored = readKeys(place);
  if (stored !== null) return stored;
  if (sealed) {
    throw new FolderRefused(
      `${join(place, KEYS_FILE)} is missing, and the folder's stacks were sealed with it. ${RESTORE}`,
    );
  }
  const made = freshKeys();
  try {
    writeKeys(place, made);
  } catch (error) {
    throw unusable(join(place, KEYS_FILE), error);
  }
  return made;
};
