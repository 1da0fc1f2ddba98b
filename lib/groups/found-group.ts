/** A group as an operation finds it: the record of its nested stack, and which members serve. */
import type { Json } from "#lib/json.ts";
import type { GroupRecord, MemberDefinition } from "#lib/model/group-record.ts";
import type { RollPolicy } from "./batch-sizes.ts";
import { latestOf, leavingOf, membersOf, textOfDefinition } from "./record.ts";
import type { Existing } from "./roll-step.ts";

/** Heat keeps no minimum in service while it creates a group. */
export interface BatchPolicy extends RollPolicy {
  readonly pauseSeconds: number;
}

export interface FoundGroup {
  readonly record: GroupRecord;
  /** The nested stack has reached that record, and nothing runs in it. */
  readonly isSettled: boolean;
  /** The names of the members whose row is COMPLETE. */
  readonly serving: ReadonlySet<string>;
  /** The names of the members whose row is FAILED. All others are there, or on their way. */
  readonly failed: ReadonlySet<string>;
}

/** The removal policies of a ResourceGroup may name a member by its reference. */
export interface FoundResourceGroup extends FoundGroup {
  /** By the names of the members, in the order of the record. */
  readonly references: ReadonlyMap<string, Json>;
}

/** In the order of the record. */
export const existingMembers = (
  { record, isSettled, serving }: FoundGroup,
  definition: MemberDefinition,
): readonly Existing[] => {
  const text = textOfDefinition(definition);
  const hasIt = new Map(record.definitions.map((one) => [one, textOfDefinition(one) === text]));
  return membersOf(record).map((member) => ({
    name: member.name,
    isServing: serving.has(member.name),
    isUpToDate: isSettled && hasIt.get(member.definition) === true,
  }));
};

/** Only a changed definition rolls. After a failure nobody knows which members have theirs. */
export const mustRoll = (
  definition: MemberDefinition,
  { record, isSettled }: FoundGroup,
): boolean => {
  const latest = latestOf(record);
  return !isSettled || latest === null || textOfDefinition(latest) !== textOfDefinition(definition);
};

/** How many members the group has in the end, without failed ones. */
export const healthySize = ({ record, failed }: FoundGroup): number => {
  const leaving = leavingOf(record);
  return membersOf(record).filter(({ name }) => !failed.has(name) && !leaving.has(name)).length;
};
