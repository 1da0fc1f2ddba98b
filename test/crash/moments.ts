/**
 * When the host is killed. A host mostly waits, so moments taken by the clock alone hardly ever fall
 * between a provider's call and the row that is to remember it: most kills are aimed there.
 */
import { existsSync, watch } from "node:fs";
import { join } from "node:path";
import { CLOUD_FILE } from "#lib/adapters/sqlite/fake-provider.ts";
import type { Random } from "#lib/ports/random.ts";
import { pause } from "./looks.ts";

export type Moment =
  /** While the process starts and takes up what its predecessor left. */
  | { readonly kind: "starting"; readonly afterMs: number }
  /** Some time after it became ready. */
  | { readonly kind: "any"; readonly afterMs: number }
  /** As soon as the provider has changed something, some time after it became ready. */
  | { readonly kind: "call"; readonly afterMs: number };

const STARTING_MS_MAX = 400;
const WORKING_MS_MAX = 900;
/** Of ten kills: this many while starting, this many at any moment; the others at a call. */
const TEN = 10;
const STARTING_IN_TEN = 2;
const ANY_IN_TEN = 3;
/** Longer than a single resource takes, so that there is nearly always a call to wait for. */
const CALL_MS_MAX = 3_000;

export const randomMoment = (random: Random): Moment => {
  const lot = random.below(TEN);
  if (lot < STARTING_IN_TEN) return { kind: "starting", afterMs: random.below(STARTING_MS_MAX) };
  const kind = lot < STARTING_IN_TEN + ANY_IN_TEN ? "any" : "call";
  return { kind, afterMs: random.below(WORKING_MS_MAX) };
};

/** Calls `strike` in the instant in which the provider changes something next, but does not wait for that for ever. */
export const atNextCall = async (dataFolder: string, strike: () => void): Promise<void> => {
  const file = join(dataFolder, `${CLOUD_FILE}-wal`);
  if (!existsSync(file)) return;
  const watcher = watch(file);
  const struck = new Promise<void>((resolve) => {
    watcher.once("change", () => {
      strike();
      resolve();
    });
  });
  await Promise.race([struck, pause(CALL_MS_MAX)]);
  watcher.close();
};
