import { logger } from "#functions/logger.ts";
import { HELD_MS, JUMP_MS_MIN, type SteadyClock } from "#lib/adapters/node/steady-clock.ts";
import type { Problem } from "#lib/api/context.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

export const tellJump = (byMs: number): void => {
  const direction = byMs < 0 ? "back" : "forward";
  const seconds = Math.round(Math.abs(byMs) / SECOND_MS);
  logger.warn("the machine's clock has jumped", { direction, seconds });
};

export const clockProblems = (clock: SteadyClock): readonly Problem[] => {
  const leadMs = clock.leadMs();
  const heldMs = clock.heldMs();
  const secondsOf = (ms: number): number => Math.round(ms / SECOND_MS);
  const problems: Problem[] = [];
  if (leadMs >= JUMP_MS_MIN) {
    problems.push({
      part: "clock",
      found: `the machine's clock went back, and Hearth's time is ${secondsOf(leadMs)} s ahead of it`,
      advice: "Set the machine's clock (NTP). Hearth follows it when no stack is at work",
    });
  }
  if (heldMs > 0) {
    problems.push({
      part: "clock",
      found: `the machine's clock leapt forward by ${secondsOf(heldMs)} s, and Hearth does not follow it yet, since that would end and delete things`,
      advice: `If it is wrong, set it (NTP). If it is right, restart the host, or wait: Hearth follows after ${HELD_MS / MINUTE_MS} minutes`,
    });
  }
  return problems;
};
