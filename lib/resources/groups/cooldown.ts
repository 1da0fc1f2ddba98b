/** P22: until when no signal scales a group. It is derived, and kept nowhere beside the group. */
import type { GroupRecord } from "#lib/model/group-record.ts";
import type { Stack } from "#lib/model/stack.ts";

/**
 * A time. The cooldown of the last change begins when the nested stack has reached that change. A
 * change that failed begins none.
 */
export const cooldownEndOf = (
  { lastGood, templateId, convergedAt }: Pick<Stack, "lastGood" | "templateId" | "convergedAt">,
  { cooldownEnd, cooldownMs }: GroupRecord,
): number =>
  lastGood === templateId && convergedAt !== null
    ? Math.max(cooldownEnd, convergedAt + cooldownMs)
    : cooldownEnd;

const SECOND_MS = 1_000;
/** About 31,000 years. With any present time it still makes a whole number. */
const COOLDOWN_MS_MAX = 1_000_000_000_000_000;

/** Users may give a fraction, less than nothing or more than any time. No record has them. */
export const cooldownMsOf = (seconds: number): number =>
  Math.min(Math.max(Math.round(seconds * SECOND_MS), 0), COOLDOWN_MS_MAX);
