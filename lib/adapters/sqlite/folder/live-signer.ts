/**
 * A signer that follows keys.json while the host runs. New keys replace the former ones between two
 * requests. Only the host signs and verifies, so a new key may sign at once.
 */
import { type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { Bug } from "#lib/errors.ts";
import type { Signer } from "#lib/ports/ports.ts";
import { hmacSigner } from "../../node/platform.ts";
import { IN_MEMORY } from "../database.ts";
import { type HostKeys, KEYS_FILE, readKeys } from "./keys.ts";

export const KEYS_LOOK_MS = 1_000;

export interface LiveSigner {
  readonly signer: Signer;
  close(): void;
}

/**
 * `onUnusable` is called once for each changed file that cannot be used. The former keys stay in
 * use.
 */
export const openLiveSigner = (
  place: string,
  keys: HostKeys,
  onUnusable: (error: unknown) => void,
): LiveSigner => {
  let inner = hmacSigner(keys.signing);
  const signer: Signer = {
    sign: (grant) => inner.sign(grant),
    knows: (kid) => inner.knows(kid),
    verify: (grant, kid, sig) => inner.verify(grant, kid, sig),
  };
  if (place === IN_MEMORY) return { signer, close: () => {} };
  const path = join(place, KEYS_FILE);
  let seen = "";
  const look = (): void => {
    const now = stampOf(path);
    if (now === seen) return;
    seen = now;
    try {
      inner = hmacSigner(signingKeysNow(place, keys));
    } catch (error) {
      onUnusable(error);
    }
  };
  look();
  const timer = setInterval(look, KEYS_LOOK_MS).unref();
  return { signer, close: () => clearInterval(timer) };
};

/**
 * Differs for each file that was renamed to this path. It is read before the file, so no change is
 * missed.
 */
const stampOf = (path: string): string => {
  const stats = statOrNull(path);
  return stats === null ? "gone" : `${stats.ino} ${stats.ctimeMs} ${stats.size}`;
};

/** A failing disk must not end the host. If a file cannot be read, the error says why. */
const statOrNull = (path: string): Stats | null => {
  try {
    return statSync(path);
  } catch {
    return null;
  }
};

const signingKeysNow = (place: string, { encryption }: HostKeys): HostKeys["signing"] => {
  const now = readKeys(place);
  if (now === null) throw new Bug(`${join(place, KEYS_FILE)} is gone`);
  if (Buffer.compare(now.encryption, encryption) === 0) return now.signing;
  throw new Bug(`${join(place, KEYS_FILE)} has another encryption key`);
};
