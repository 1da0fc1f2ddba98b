/**
 * Plans what an operation makes of a ResourceGroup (P21). The plan starts from the record of the
 * nested stack, never from the row of the group, so nothing is lost when an operation is overtaken.
 */
import { isJsonObject, type Json } from "#lib/json.ts";
import type { GroupRecord, MemberDefinition } from "#lib/model/group-record.ts";
import { compareTexts } from "#lib/python/show-text.ts";
import { isJsonArray, member } from "#lib/template/json-shape.ts";
import { pythonText } from "#lib/template/python-text.ts";
import { checkPauses } from "./batches.ts";
import {
  type BatchPolicy,
  existingMembers,
  type FoundGroup,
  type FoundResourceGroup,
  mustRoll,
} from "./found-group.ts";
import { checkSize, indexNames } from "./names.ts";
import { AT_ONCE, groupRecord, membersOf } from "./record.ts";
import { groupRoll, rollRecord } from "./roll.ts";

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
    ...AT_ONCE,
  });

interface Rolling {
  readonly skip: readonly string[];
  readonly policy: BatchPolicy;
  readonly found: FoundGroup | null;
}

const rolled = (wanted: WantedGroup, { skip, policy, found }: Rolling): GroupRecord => {
  const { count, definition } = wanted;
  const existing = found === null ? [] : existingMembers(found, definition);
  const isOvertaking = found?.isSettled === false;
  const roll = groupRoll(existing, { count, skip }, policy, isOvertaking);
  checkPauses(roll.batchCount, policy.pauseSeconds, wanted.secondsLeft);
  return rollRecord({
    ...NO_COOLDOWN,
    ...wanted,
    ...policy,
    roll,
    made: found?.made ?? new Map(),
    isOvertaking,
    skip,
    size: count,
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

type RemovalMode = "append" | "update";

const entriesOf = (policies: Json): readonly Json[] => {
  if (!isJsonArray(policies)) return [];
  return policies.flatMap((policy) => {
    const list = isJsonObject(policy) ? member(policy, "resource_list") : undefined;
    return list !== undefined && isJsonArray(list) ? list : [];
  });
};

/**
 * The skip list of a ResourceGroup: names that its removal policies took away, and that no member
 * gets again. Heat stores the names as one text, so a comma in a policy's name separates two names.
 * The attribute `removed_rsrc_list` is the stored list.
 */
const asStored = (names: ReadonlySet<string>): readonly string[] => {
  const text = [...names].sort(compareTexts).join(",");
  return text === "" ? [] : text.split(",");
};

/** Before there are members every entry counts, whatever it is. */
export const skipListOfCreate = (policies: Json): readonly string[] =>
  asStored(new Set(entriesOf(policies).map(pythonText)));

interface Removable extends Pick<FoundResourceGroup, "references"> {
  readonly skip: readonly string[];
  readonly members: ReadonlySet<string>;
}

/** Only a string can also be the reference of a member. */
const namesIn = ({ skip, members, references }: Removable): ((entry: Json) => string | null) => {
  const skipped = new Set(skip);
  // If members have the same reference, the first one counts.
  const byReference = new Map([...references].reverse().map(([name, value]) => [value, name]));
  return (entry) => {
    const name = pythonText(entry);
    if (members.has(name) || skipped.has(name)) return name;
    return typeof entry === "string" ? (byReference.get(entry) ?? null) : null;
  };
};

/** The mode `update` forgets the names that the policies do not list again. */
export const skipListOfUpdate = (
  policies: Json,
  mode: RemovalMode,
  found: Removable,
): readonly string[] => {
  const nameOf = namesIn(found);
  const named = entriesOf(policies).flatMap((entry) => nameOf(entry) ?? []);
  return asStored(new Set([...(mode === "append" ? found.skip : []), ...named]));
};
