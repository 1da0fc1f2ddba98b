/**
 * The cooldown of a scaling group (P22). It is computed from the group's record and its nested
 * stack, and stored nowhere else.
 */
import type { GroupRecord } from "#lib/model/group-record.ts";
import type { Stack } from "#lib/model/stack.ts";

/**
 * @returns a time in milliseconds. A change starts its cooldown when the nested stack has reached
 * it. A failed change starts none.
 */
export const cooldownEndOf = (
  { lastGood, templateId, convergedAt }: Pick<Stack, "lastGood" | "templateId" | "convergedAt">,
  { cooldownEnd, cooldownMs }: GroupRecord,
): number =>
  lastGood === templateId && convergedAt !== null
    ? Math.max(cooldownEnd, convergedAt + cooldownMs)
    : cooldownEnd;

export const SECOND_MS = 1_000;
/** About 31,000 years. Added to the present time this is still a safe integer. */
const COOLDOWN_MS_MAX = 1_000_000_000_000_000;

/** Users may give fractions, negative numbers or huge ones. A record contains none of these. */
export const cooldownMsOf = (seconds: number): number =>
  Math.min(Math.max(Math.round(seconds * SECOND_MS), 0), COOLDOWN_MS_MAX);
