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
