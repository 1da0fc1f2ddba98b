/**
 * A new signing key for a data folder, beside a running host or without one. Two generations are
 * kept: the new key signs, and the former one still verifies.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { freshSigningKey, type HostKeys, readKeys, SIGNING_KEYS_MAX, writeKeys } from "./keys.ts";
import { DATABASE_FILE } from "./open-sqlite.ts";

/** The host's own transactions are far shorter. */
const LOCK_MS_MAX_DEFAULT = 15_000;

export interface Rotation {
  readonly now: number;
  /** The removed key's URLs must be this old, or they would still be in use. */
  readonly ageMsMin: number;
  /** Removes the key all the same. */
  readonly force: boolean;
  /** How long another process may hold the database's write lock. */
  readonly lockMsMax?: number;
}

export type Rotated =
  | { readonly kind: "rotated"; readonly kids: readonly string[]; readonly removed: string | null }
  | { readonly kind: "no keys" }
  /** `dueAt` is null if the file does not say when its newest key was made. */
  | { readonly kind: "too early"; readonly dueAt: number | null };

/** Two rotations at once would lose the first key. The database's write lock prevents that. */
export const rotateKeys = (folder: string, rotation: Rotation): Rotated => {
  const path = join(folder, DATABASE_FILE);
  if (!existsSync(path)) return { kind: "no keys" };
  const database = new DatabaseSync(path, { timeout: rotation.lockMsMax ?? LOCK_MS_MAX_DEFAULT });
  try {
    database.exec("BEGIN IMMEDIATE");
    return rotateLocked(folder, rotation);
  } finally {
    database.close();
  }
};

const rotateLocked = (folder: string, { now, ageMsMin, force }: Rotation): Rotated => {
  const keys = readKeys(folder);
  if (keys === null) return { kind: "no keys" };
  const kept = keys.signing.slice(0, SIGNING_KEYS_MAX - 1);
  const [removed = null] = keys.signing.slice(SIGNING_KEYS_MAX - 1).map(({ kid }) => kid);
  if (removed !== null && !force) {
    const dueAt = dueAtOf(keys, ageMsMin);
    if (dueAt === null || now < dueAt) return { kind: "too early", dueAt };
  }
  const made = { ...freshSigningKey(), made_at: new Date(now).toISOString() };
  const signing = [made, ...kept];
  writeKeys(folder, { ...keys, signing });
  return { kind: "rotated", kids: signing.map(({ kid }) => kid), removed };
};

/** The key that signs now replaced the one that a rotation would remove. */
const dueAtOf = ({ signing }: HostKeys, ageMsMin: number): number | null => {
  const madeAt = signing[0]?.made_at;
  return madeAt === undefined ? null : Date.parse(madeAt) + ageMsMin;
};
