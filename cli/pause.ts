/** The command line's pause between two polls. */
import { setTimeout } from "node:timers/promises";
import type { Pause } from "#client/wait.ts";

export const pause: Pause = (milliseconds, stop) =>
  setTimeout(milliseconds, undefined, stop && { signal: stop }).catch(() => undefined);
