import { systemClock } from "#lib/adapters/node/platform.ts";
import { KEYS_LOOK_MS } from "#lib/adapters/sqlite/folder/live-signer.ts";
import { type Rotated, rotateKeys } from "#lib/adapters/sqlite/folder/rotate-keys.ts";

/** A running host uses the new key after this time at the latest. */
export const ROTATION_SECONDS_MAX = Math.ceil((2 * KEYS_LOOK_MS) / 1_000);

export const rotateHostKeys = (folder: string, leaked: boolean): Rotated =>
  rotateKeys(folder, { now: systemClock().now(), leaked });
