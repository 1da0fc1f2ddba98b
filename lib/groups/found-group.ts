/** A group as an operation finds it: the record of its nested stack, and which members serve. */
import type { Json } from "#lib/json.ts";
import type { GroupRecord, MemberDefinition } from "#lib/model/group-record.ts";
import type { Existing, RollPolicy } from "./batches.ts";
import { leavingOf, membersOf, textsOfDefinitions } from "./record.ts";

/** Heat keeps no minimum in service while it creates a group. */
export interface BatchPolicy extends RollPolicy {
  readonly pauseSeconds: number;
}

export type Definitions = ReadonlyMap<string, MemberDefinition>;

export interface FoundGroup {
  readonly record: GroupRecord;
  /** The nested stack has reached that record, and nothing runs in it. */
  readonly isSettled: boolean;
  readonly serving: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
  /**
   * The definition from which a serving member's row was last made. The record only says what its
   * operation wanted, and a failed operation has not given that to every member.
   */
  readonly made: Definitions;
  readonly good: Definitions;
}

/** The removal policies of a ResourceGroup may name a member by its reference. */
export interface FoundResourceGroup extends FoundGroup {
  readonly references: ReadonlyMap<string, Json>;
}

export const definitionsIn = (record: GroupRecord): Definitions =>
  new Map(membersOf(record).map(({ name, definition }) => [name, definition]));

const comparison = (): ((one: MemberDefinition, other: MemberDefinition) => boolean) => {
  const textOf = textsOfDefinitions();
  return (one, other) => textOf(one) === textOf(other);
};

export const existingMembers = (
  { record, serving, made }: FoundGroup,
  definition: MemberDefinition,
): readonly Existing[] => {
  const isSame = comparison();
  return membersOf(record).map(({ name }) => {
    const present = made.get(name);
    return {
      name,
      isServing: serving.has(name),
      isUpToDate: serving.has(name) && present !== undefined && isSame(present, definition),
    };
  });
};

/**
 * A group rolls if a member may have another definition. After a failure this is unknown until the
 * operations of the earlier change have ended.
 */
export const mustRoll = (
  definition: MemberDefinition,
  { record: { definitions }, isSettled }: FoundGroup,
): boolean => {
  const isSame = comparison();
  return (
    !isSettled ||
    definitions.length === 0 ||
    !definitions.every((present) => isSame(present, definition))
  );
};

export const healthySize = ({ record, failed }: FoundGroup): number => {
  const leaving = leavingOf(record);
  return membersOf(record).filter(({ name }) => !failed.has(name) && !leaving.has(name)).length;
};

/**
 * The size that a target keeps if it leaves the size open (P21): that of the last target that the
 * root stack reached, with the signals since then. Failed members count, because they are made
 * anew.
 * @returns null when no such target had the group.
 */
export const openSize = ({ size, open }: GroupRecord, reached: string | null): number | null =>
  open === undefined || open.reached !== reached ? size : open.size;

/** What a member keeps that does not change: a definition that some target has reached with it. */
export const keptDefinitions = ({
  made,
  good,
}: FoundGroup): ((name: string) => MemberDefinition | null) => {
  const isSame = comparison();
  return (name) => {
    const known = good.get(name);
    const present = made.get(name) ?? known;
    if (known === undefined || present === undefined) return null;
    return isSame(known, present) ? present : null;
  };
};
