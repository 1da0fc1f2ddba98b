import { setTimeout as pause } from "node:timers/promises";

const LOOK_MS = 100;
/** Cold functions on an emulator are slow. */
const WAIT_MS_MAX = 120_000;

const patience = { factor: 1 };

export const patiently = (limitMs: number): number => limitMs * patience.factor;

export const waitLonger = (factor: number): void => {
  patience.factor = factor;
};

export const until = async <Found>(
  what: string,
  look: () => Promise<Found | null> | Found | null,
): Promise<Found> => {
  const limitMs = patiently(WAIT_MS_MAX);
  const end = Date.now() + limitMs;
  while (Date.now() < end) {
    const found = await look();
    if (found !== null) return found;
    await pause(LOOK_MS);
  }
  throw new Error(`waited ${limitMs / 1_000} s in vain for ${what}`);
};
