/** The command line's pause between two polls. */
import { setTimeout } from "node:timers/promises";
import type { Sleep } from "#client/wait.ts";

export const pause: Sleep = (milliseconds, stop) =>
  setTimeout(milliseconds, undefined, stop && { signal: stop }).catch(() => undefined);
