/**
 * Creates a new signing key for a data folder, with or without a running host. The new key signs,
 * and every former key still verifies, because agents, alarms and wait handles keep their URLs.
 * Only a rotation after a leak ends those.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { inDatabase } from "../migrate.ts";
import { DATABASE_FILE } from "../open-sqlite.ts";
import { refuseOlderFolder } from "./folder-version.ts";
import { freshSigningKey, readKeys, SIGNING_KEYS_MAX, writeKeys } from "./keys.ts";

const LOCK_MS_MAX_DEFAULT = 15_000;

export interface Rotation {
  readonly now: number;
  /** Somebody else may have a key of the folder, so all of them are removed. */
  readonly leaked: boolean;
  readonly lockMsMax?: number;
}

export type Rotated =
  | {
      readonly kind: "rotated";
      readonly signs: string;
      readonly verify: readonly string[];
      readonly removed: readonly string[];
      readonly servers: number;
    }
  | { readonly kind: "no keys" }
  | { readonly kind: "too many" };

const Counted = z.object({ servers: z.int() });

/**
 * Two rotations at once would lose the first key, so this holds the database's write lock.
 * @throws FolderRefused for a folder of another version
 */
export const rotateKeys = (folder: string, rotation: Rotation): Rotated => {
  const path = join(folder, DATABASE_FILE);
  if (!existsSync(path)) return { kind: "no keys" };
  // A host of another version may be unable to read what this version writes.
  refuseOlderFolder(folder);
  const options = { timeout: rotation.lockMsMax ?? LOCK_MS_MAX_DEFAULT };
  return inDatabase(path, options, (database) => {
    database.exec("BEGIN IMMEDIATE");
    return rotateLocked(folder, database, rotation);
  });
};

const rotateLocked = (
  folder: string,
  database: DatabaseSync,
  { now, leaked }: Rotation,
): Rotated => {
  const keys = readKeys(folder);
  if (keys === null) return { kind: "no keys" };
  const [kept, removed] = leaked ? [[], keys.signing] : [keys.signing, []];
  if (kept.length >= SIGNING_KEYS_MAX) return { kind: "too many" };
  const { servers } = Counted.parse(
    database.prepare("SELECT count(*) AS servers FROM servers").get(),
  );
  const made = { ...freshSigningKey(), made_at: new Date(now).toISOString() };
  writeKeys(folder, { ...keys, signing: [made, ...kept] });
  const kidsOf = (of: typeof keys.signing) => of.map(({ kid }) => kid);
  return {
    kind: "rotated",
    signs: made.kid,
    verify: kidsOf(kept),
    removed: kidsOf(removed),
    servers,
  };
};
