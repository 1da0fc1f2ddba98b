/** What the host tells of jumps of the machine's clock. */
import { logger } from "#functions/logger.ts";
import { JUMP_MS_MIN, type SteadyClock } from "#lib/adapters/node/steady-clock.ts";
import type { Problem } from "#lib/api/context.ts";

const SECOND_MS = 1_000;

export const tellJump = (byMs: number): void => {
  const direction = byMs < 0 ? "back" : "forward";
  const seconds = Math.round(Math.abs(byMs) / SECOND_MS);
  logger.info("the machine's clock has jumped", { direction, seconds });
};

export const clockProblems = (clock: SteadyClock): readonly Problem[] => {
  const leadMs = clock.leadMs();
  if (leadMs < JUMP_MS_MIN) return [];
  const seconds = Math.round(leadMs / SECOND_MS);
  return [
    {
      part: "clock",
      found: `the machine's clock went back, and Hearth's time is ${seconds} s ahead of it`,
      advice: "Set the machine's clock (NTP). Hearth follows it when no stack is at work",
    },
  ];
};
