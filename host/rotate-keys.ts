/** `hearth keys rotate`: how old a signing key must be before its URLs may be refused. */
import { systemClock } from "#lib/adapters/node/platform.ts";
import { KEYS_LOOK_MS } from "#lib/adapters/sqlite/live-signer.ts";
import { type Rotated, rotateKeys } from "#lib/adapters/sqlite/rotate-keys.ts";
import { SIGNAL_MARGIN_SECONDS } from "#lib/software-config/agent-requests/urls.ts";
import { STACK_TIMEOUT_MINS_MAX } from "#lib/stack/limits.ts";

/**
 * The longest life of a signal's URL. After it, the former key's ones have all expired. Metadata
 * URLs do not expire, but each poll hands out a new one.
 */
export const ROTATION_MS_MIN = STACK_TIMEOUT_MINS_MAX * 60_000 + SIGNAL_MARGIN_SECONDS * 1_000;

/** After this time a running host uses the new key. */
export const ROTATION_SECONDS_MAX = Math.ceil((2 * KEYS_LOOK_MS) / 1_000);

export const rotateHostKeys = (folder: string, force: boolean): Rotated =>
  rotateKeys(folder, { now: systemClock().now(), ageMsMin: ROTATION_MS_MIN, force });
