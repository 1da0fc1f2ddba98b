/**
 * What an operation makes of a ResourceGroup (P21). The plan starts from the record that the nested
 * stack has, never from the row of the group. So nothing is lost when an operation is overtaken.
 */
import { canonicalJson, type Json } from "#lib/json.ts";
import type { GroupRecord, MemberDefinition } from "#lib/model/group-record.ts";
import { checkSize, indexNames } from "./names.ts";
import { checkPauses } from "./pauses.ts";
import { groupRecord, type Member, membersOf } from "./record.ts";
import { groupRoll } from "./roll.ts";
import { rollRecord } from "./roll-record.ts";
import { type RemovalMode, skipListOfCreate, skipListOfUpdate } from "./skip-list.ts";

export interface BatchPolicy {
  readonly maxBatchSize: number;
  /** Members that keep serving. Heat has none in a create. */
  readonly minInService: number;
  readonly pauseSeconds: number;
}

export interface WantedGroup {
  readonly count: number;
  readonly definition: MemberDefinition;
  readonly removalPolicies: Json;
  readonly removalMode: RemovalMode;
  /** For the first members, and for later changes of the definition. Null: all at once. */
  readonly batchCreate: BatchPolicy | null;
  readonly rollingUpdate: BatchPolicy | null;
  /** Names the operation. */
  readonly turn: string;
  readonly secondsLeft: number;
}

/** The nested stack as the operation finds it. */
export interface FoundGroup {
  readonly record: GroupRecord;
  /** It has reached that record, and nothing runs in it. */
  readonly isSettled: boolean;
  /** The names of the members whose row is COMPLETE. */
  readonly serving: ReadonlySet<string>;
  /** The references of the members by their names, in the order of the names. */
  readonly references: ReadonlyMap<string, Json>;
}

const NO_COOLDOWN = { cooldownMs: 0, cooldownEnd: 0 } as const;

const textOf = ({ body, indexVar }: MemberDefinition): string => canonicalJson([body, indexVar]);

/** All members at once. */
const whole = ({ count, definition }: WantedGroup, skip: readonly string[]): GroupRecord =>
  groupRecord({
    ...NO_COOLDOWN,
    members: indexNames(count, skip).map((name) => ({ name, definition })),
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
  /** Null: there is no nested stack with members yet. */
  readonly found: FoundGroup | null;
}

const rolled = (wanted: WantedGroup, { skip, policy, found }: Rolling): GroupRecord => {
  const { count, definition, turn, secondsLeft } = wanted;
  const members: readonly Member[] = found === null ? [] : membersOf(found.record);
  const text = textOf(definition);
  const existing = members.map((member) => ({
    name: member.name,
    isServing: found?.serving.has(member.name) === true,
    isUpToDate: found?.isSettled === true && textOf(member.definition) === text,
  }));
  const isOvertaking = found?.isSettled === false;
  const roll = groupRoll(existing, { count, skip }, policy, isOvertaking);
  checkPauses(roll.batchCount, policy.pauseSeconds, secondsLeft);
  return rollRecord({
    ...NO_COOLDOWN,
    roll,
    former: new Map(members.map((member) => [member.name, member.definition])),
    definition,
    pauseSeconds: policy.pauseSeconds,
    maxBatchSize: policy.maxBatchSize,
    isOvertaking,
    skip,
    size: count,
    turn,
  });
};

/** Only a changed definition rolls. After a failure nobody knows which members have theirs. */
const mustRoll = ({ definition }: WantedGroup, { record, isSettled }: FoundGroup): boolean => {
  const text = textOf(definition);
  return !isSettled || record.definitions.some((one) => textOf(one) !== text);
};

/**
 * The record of the operation's target. `found` null: the group has no record yet. Throws a
 * RequestError for too many members, and for pauses that take all of the time.
 */
export const resourceGroupRecord = (wanted: WantedGroup, found: FoundGroup | null): GroupRecord => {
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
  const policy = wanted.rollingUpdate;
  if (policy === null || !mustRoll(wanted, found)) return whole(wanted, skip);
  return rolled(wanted, { skip, policy, found });
};
