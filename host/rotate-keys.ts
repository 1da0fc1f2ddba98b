/** `hearth keys rotate` on an embedded host's folder. */
import { systemClock } from "#lib/adapters/node/platform.ts";
import { KEYS_LOOK_MS } from "#lib/adapters/sqlite/live-signer.ts";
import { type Rotated, rotateKeys } from "#lib/adapters/sqlite/rotate-keys.ts";

/** After this time a running host uses the new key. */
export const ROTATION_SECONDS_MAX = Math.ceil((2 * KEYS_LOOK_MS) / 1_000);

export const rotateHostKeys = (folder: string, leaked: boolean): Rotated =>
  rotateKeys(folder, { now: systemClock().now(), leaked });
