/**
 * When to kill the host. It mostly waits, so a kill by the clock rarely falls between a provider's
 * call and the row that records it. Most kills therefore aim there.
 */
import { existsSync, watch } from "node:fs";
import { join } from "node:path";
import { FAKE_PROVIDER_FILE } from "#lib/adapters/sqlite/fake-provider.ts";
import { DATABASE_FILE } from "#lib/adapters/sqlite/open-sqlite.ts";
import type { Random } from "#lib/ports/ports.ts";
import { pause } from "./looks.ts";

export type Moment =
  | { readonly kind: "starting"; readonly afterMs: number }
  | { readonly kind: "any"; readonly afterMs: number }
  /** At the first change of the provider that comes `afterMs` or more after the host was ready. */
  | { readonly kind: "call"; readonly afterMs: number };

const STARTING_MS_MAX = 400;
const WORKING_MS_MAX = 900;
/**
 * Of ten kills, so many come during the start and so many at any moment. The others come at a call.
 */
const TEN = 10;
const STARTING_IN_TEN = 2;
const ANY_IN_TEN = 3;
/** Longer than any resource takes, so there is nearly always a call to wait for. */
const CALL_MS_MAX = 3_000;

export const randomMoment = (random: Random): Moment => {
  const lot = random.below(TEN);
  if (lot < STARTING_IN_TEN) return { kind: "starting", afterMs: random.below(STARTING_MS_MAX) };
  const kind = lot < STARTING_IN_TEN + ANY_IN_TEN ? "any" : "call";
  return { kind, afterMs: random.below(WORKING_MS_MAX) };
};

export const atNextCall = (dataFolder: string, strike: () => void): Promise<void> =>
  atChange(join(dataFolder, `${FAKE_PROVIDER_FILE}-wal`), 0, strike);

/** A request that ends six operations makes about so many changes. */
const STORE_CHANGES_MAX = 40;
const PROVIDER_CHANGES_MAX = 6;

export const inTheMiddle = (
  dataFolder: string,
  random: Random,
  strike: () => void,
): Promise<void> => {
  const atProvider = random.below(2) === 0;
  const file = atProvider ? FAKE_PROVIDER_FILE : DATABASE_FILE;
  const skipped = random.below(atProvider ? PROVIDER_CHANGES_MAX : STORE_CHANGES_MAX);
  return atChange(join(dataFolder, `${file}-wal`), skipped, strike);
};

const atChange = async (file: string, skipped: number, strike: () => void): Promise<void> => {
  if (!existsSync(file)) return;
  const watcher = watch(file);
  let left = skipped;
  const struck = new Promise<void>((resolve) => {
    watcher.on("change", () => {
      left -= 1;
      if (left >= 0) return;
      strike();
      resolve();
    });
  });
  await Promise.race([struck, pause(CALL_MS_MAX)]);
  watcher.close();
};
