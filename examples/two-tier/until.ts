/** Waits for something that another process does. */
import { setTimeout as pause } from "node:timers/promises";

const LOOK_MS = 100;
/** Far above what anything takes: cold functions on an emulator are slow. */
const WAIT_MS_MAX = 120_000;

/** Polls until `look` answers something else than null. Throws after WAIT_MS_MAX. */
export const until = async <Found>(
  what: string,
  look: () => Promise<Found | null> | Found | null,
): Promise<Found> => {
  const end = Date.now() + WAIT_MS_MAX;
  while (Date.now() < end) {
    const found = await look();
    if (found !== null) return found;
    await pause(LOOK_MS);
  }
  throw new Error(`waited ${WAIT_MS_MAX / 1_000} s in vain for ${what}`);
};
