/**
 * A rolling change in at most two traversals (P20), where Heat updates the nested stack once for
 * each batch. ROLL has every member that Heat has in any batch, and TRIM takes the surplus away.
 * Where Heat shrinks the group in between, ROLL keeps the members, so that more of them serve.
 */

import type { GroupRecord, MemberDefinition } from "#lib/model/group-record.ts";
import { type Existing, inBatches, type RollPolicy, type RollStep } from "./batches.ts";
import type { Definitions } from "./found-group.ts";
import { type GroupTarget, groupSteps, servingMembers } from "./group-steps.ts";
import { byIndex, checkSize, type DrawNames } from "./names.ts";
import { type Batch, type GroupParts, groupRecord } from "./record.ts";
import { byAge, scalingSteps } from "./scaling-steps.ts";

export interface Roll {
  readonly members: readonly string[];
  readonly batches: readonly (readonly string[])[];
  readonly grown: readonly string[];
  /** The members that go in TRIM. If it is empty, ROLL is the end. */
  readonly leaving: ReadonlySet<string>;
  /** How many batches Heat has. Heat pauses between all of them. */
  readonly batchCount: number;
}

/**
 * What the first batch drops goes at once, unless the roll keeps all. A group that has shrunk never
 * grows again before the end, so no member that goes comes back.
 */
const membersOf = (
  serving: readonly Existing[],
  [first, ...later]: readonly RollStep[],
  keepsAll: boolean,
): { readonly members: ReadonlySet<string>; readonly leaving: ReadonlySet<string> } => {
  const members = new Set(serving.map(({ name }) => name));
  const leaving = new Set<string>();
  for (const name of first?.removed ?? []) {
    if (keepsAll) leaving.add(name);
    else members.delete(name);
  }
  for (const name of first?.changed ?? []) members.add(name);
  for (const { removed, changed } of later) {
    for (const name of removed) leaving.add(name);
    for (const name of changed) members.add(name);
  }
  return { members, leaving };
};

const merged = (serving: readonly Existing[], steps: readonly RollStep[], keepsAll = false) => {
  const { members, leaving } = membersOf(serving, steps, keepsAll);
  // A member that was there already and goes in TRIM need not change before.
  const done = new Set(serving.map(({ name }) => name).filter((name) => leaving.has(name)));
  const batches = steps.map(({ changed }) => {
    const names = changed.filter((name) => !done.has(name));
    for (const name of names) done.add(name);
    return names;
  });
  return {
    members,
    leaving,
    batches: batches.filter(({ length }) => length > 0),
    batchCount: steps.length,
  };
};

/**
 * A create in batches begins with no members and needs none in service. Members that `existing`
 * counts as serving may still be at work in an overtaken roll. Then no other may go before they are
 * back.
 */
export const groupRoll = (
  existing: readonly Existing[],
  target: GroupTarget,
  policy: RollPolicy,
  isOvertaking = false,
): Roll => {
  checkSize(target.count);
  const steps = groupSteps(existing, target, policy);
  const keepsAll = isOvertaking && policy.minInService > 0;
  const roll = merged(servingMembers(existing, target.skip), steps, keepsAll);
  return { ...roll, members: byIndex(roll.members), grown: [] };
};

interface RollKind {
  readonly isOvertaking: boolean;
  readonly isRollback: boolean;
}

const ONWARD: RollKind = { isOvertaking: false, isRollback: false };

/** Resizes to `capacity` after the roll, which never grows. `existing` has the oldest first. */
export const scalingRoll = (
  existing: readonly Existing[],
  capacity: number,
  policy: RollPolicy,
  draw: DrawNames,
  { isOvertaking, isRollback }: RollKind = ONWARD,
): Roll => {
  checkSize(capacity);
  const target = Math.min(existing.length, capacity);
  const steps = scalingSteps(existing, target, policy, draw, isRollback);
  const serving = existing.filter(({ isServing }) => isServing);
  const roll = merged(serving, steps, isOvertaking && policy.minInService > 0);
  const grown = draw(capacity - target);
  const members = byAge([...roll.members, ...grown], existing);
  return { ...roll, members, grown };
};

/** The record of a rolling change: what ROLL brings, and what TRIM takes away (P20). */
export interface RollChange
  extends Omit<GroupParts, "members" | "batches" | "leaving" | "overtakes" | "definition"> {
  readonly roll: Roll;
  readonly made: Definitions;
  readonly definition: MemberDefinition;
  readonly pauseSeconds: number;
  readonly maxBatchSize: number;
  /**
   * The nested stack was not at rest. Then a barrier comes before the first batch too, because an
   * earlier operation on another member must end first.
   */
  readonly isOvertaking: boolean;
}

/**
 * A member that an overtaken roll leaves over may not have its definition yet. It changes in a
 * batch of its own, behind the others (P21).
 */
const leftOver = ({ roll, isOvertaking, maxBatchSize }: RollChange): Roll["batches"] => {
  if (!isOvertaking) return [];
  const done = new Set([...roll.batches.flat(), ...roll.grown]);
  const names = roll.members.filter((name) => !done.has(name));
  return inBatches(names, maxBatchSize);
};

const batchesOf = (change: RollChange): readonly Batch[] => {
  const { roll, pauseSeconds, isOvertaking } = change;
  const inTurn = [...roll.batches, ...leftOver(change)].map((names) => ({ names, pauseSeconds }));
  if (inTurn.length === 0) return [];
  const first: readonly Batch[] = isOvertaking ? [{ names: [], pauseSeconds: 0 }] : [];
  // Heat pauses before it takes the surplus away, and then it grows without a pause.
  const pauseAfter = roll.leaving.size > 0 ? pauseSeconds : 0;
  const hasLast = roll.grown.length > 0 || pauseAfter > 0;
  const last: readonly Batch[] = hasLast ? [{ names: roll.grown, pauseSeconds: pauseAfter }] : [];
  return [...first, ...inTurn, ...last];
};

/** A member that does not change keeps what its row was made from. Without that it is new. */
export const rollRecord = (change: RollChange): GroupRecord => {
  const { roll, made, definition } = change;
  const changed = new Set(roll.batches.flat());
  return groupRecord({
    ...change,
    overtakes: change.isOvertaking,
    members: roll.members.map((name) => ({
      name,
      definition: changed.has(name) ? definition : (made.get(name) ?? definition),
    })),
    batches: batchesOf(change),
    leaving: roll.leaving,
  });
};
