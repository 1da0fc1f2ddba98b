/**
 * Plans what an operation makes of a ResourceGroup (P21). The plan starts from the record of the
 * nested stack, never from the row of the group, so nothing is lost when an operation is overtaken.
 */
import type { Json } from "#lib/json.ts";
import type { GroupRecord, MemberDefinition } from "#lib/model/group-record.ts";
import {
  type BatchPolicy,
  existingMembers,
  type FoundGroup,
  type FoundResourceGroup,
  mustRoll,
} from "./found-group.ts";
import { checkSize, indexNames } from "./names.ts";
import { checkPauses } from "./pauses.ts";
import { groupRecord, membersOf } from "./record.ts";
import { groupRoll } from "./roll.ts";
import { rollRecord } from "./roll-record.ts";
import { type RemovalMode, skipListOfCreate, skipListOfUpdate } from "./skip-list.ts";

export interface WantedGroup {
  readonly count: number;
  readonly definition: MemberDefinition;
  readonly removalPolicies: Json;
  readonly removalMode: RemovalMode;
  /** `batchCreate` is for the first members. Null means all at once. */
  readonly batchCreate: BatchPolicy | null;
  readonly rollingUpdate: BatchPolicy | null;
  readonly turn: string;
  readonly secondsLeft: number;
}

const NO_COOLDOWN = { cooldownMs: 0, cooldownEnd: 0 } as const;

const whole = ({ count, definition }: WantedGroup, skip: readonly string[]): GroupRecord =>
  groupRecord({
    ...NO_COOLDOWN,
    members: indexNames(count, skip).map((name) => ({ name, definition })),
    definition,
    skip,
    size: count,
    turn: "",
    overtakes: false,
    batches: [],
    leaving: new Set(),
  });

interface Rolling {
  readonly skip: readonly string[];
  readonly policy: BatchPolicy;
  readonly found: FoundGroup | null;
}

const rolled = (wanted: WantedGroup, { skip, policy, found }: Rolling): GroupRecord => {
  const { count, definition, turn, secondsLeft } = wanted;
  const existing = found === null ? [] : existingMembers(found, definition);
  const isOvertaking = found?.isSettled === false;
  const roll = groupRoll(existing, { count, skip }, policy, isOvertaking);
  checkPauses(roll.batchCount, policy.pauseSeconds, secondsLeft);
  return rollRecord({
    ...NO_COOLDOWN,
    roll,
    made: found?.made ?? new Map(),
    definition,
    pauseSeconds: policy.pauseSeconds,
    maxBatchSize: policy.maxBatchSize,
    isOvertaking,
    skip,
    size: count,
    turn,
  });
};

/** Throws a RequestError for too many members, and for pauses that take all of the time. */
export const resourceGroupRecord = (
  wanted: WantedGroup,
  found: FoundResourceGroup | null,
): GroupRecord => {
  checkSize(wanted.count);
  if (found === null) {
    const skip = skipListOfCreate(wanted.removalPolicies);
    const policy = wanted.batchCreate;
    return policy === null ? whole(wanted, skip) : rolled(wanted, { skip, policy, found });
  }
  const skip = skipListOfUpdate(wanted.removalPolicies, wanted.removalMode, {
    skip: found.record.skip,
    members: new Set(membersOf(found.record).map(({ name }) => name)),
    references: found.references,
  });
  const { rollingUpdate: policy, definition } = wanted;
  if (policy === null || !mustRoll(definition, found)) return whole(wanted, skip);
  return rolled(wanted, { skip, policy, found });
};
