/**
 * What an operation makes of a scaling group (P21), and what a signal to a policy makes of it
 * (P22). Both start from the record that the nested stack has.
 */
import type { GroupRecord, MemberDefinition } from "#lib/model/group-record.ts";
import { type Adjustment, type Bounds, clamped, newCapacity } from "./capacity.ts";
import {
  type BatchPolicy,
  existingMembers,
  type FoundGroup,
  healthySize,
  mustRoll,
} from "./found-group.ts";
import { checkSize } from "./names.ts";
import { checkPauses } from "./pauses.ts";
import type { DrawNames } from "./random-names.ts";
import { groupRecord, latestOf, type Member, membersOf } from "./record.ts";
import { scalingRoll } from "./roll.ts";
import { rollRecord } from "./roll-record.ts";
import { resized } from "./scaling-order.ts";

/** How long no policy may scale the group again. */
export interface Cooldown {
  /** From the end of this change. */
  readonly cooldownMs: number;
  /** What is left of an earlier one: a time. */
  readonly cooldownEnd: number;
}

export interface WantedScaling extends Cooldown {
  readonly bounds: Bounds;
  /** Null: as many as serve. 0 is a size. */
  readonly desired: number | null;
  readonly definition: MemberDefinition;
  /** The names of members that exist already. Null: the operation adopts none. */
  readonly adopted: readonly string[] | null;
  /** Null: a new definition reaches new members only, as in Heat. */
  readonly policy: BatchPolicy | null;
  /** Names the operation. */
  readonly turn: string;
  readonly secondsLeft: number;
}

interface Resize extends Cooldown {
  readonly capacity: number;
  readonly definition: MemberDefinition;
}

/** Members that stay keep their definition. */
const resizedRecord = (
  found: FoundGroup | null,
  { capacity, definition, cooldownMs, cooldownEnd }: Resize,
  draw: DrawNames,
): GroupRecord => {
  const before: readonly Member[] = found === null ? [] : membersOf(found.record);
  const known = new Map(before.map((member) => [member.name, member.definition]));
  const existing = found === null ? [] : existingMembers(found, definition);
  const kept = new Set(resized(existing, capacity, draw));
  const old = before.map(({ name }) => name).filter((name) => kept.has(name));
  // The record has the oldest first, and the new members follow.
  const names = [...old, ...[...kept].filter((name) => !known.has(name))];
  return groupRecord({
    members: names.map((name) => ({ name, definition: known.get(name) ?? definition })),
    definition,
    skip: [],
    size: capacity,
    cooldownMs,
    cooldownEnd,
    turn: "",
    overtakes: false,
    batches: [],
    leaving: new Set(),
  });
};

const rolledRecord = (
  found: FoundGroup,
  wanted: WantedScaling,
  policy: BatchPolicy,
  capacity: number,
  draw: DrawNames,
): GroupRecord => {
  const { definition, turn, secondsLeft, cooldownMs, cooldownEnd } = wanted;
  const existing = existingMembers(found, definition);
  const isOvertaking = !found.isSettled;
  const roll = scalingRoll(existing, capacity, policy, draw, isOvertaking);
  checkPauses(roll.batchCount, policy.pauseSeconds, secondsLeft);
  return rollRecord({
    roll,
    former: new Map(membersOf(found.record).map((one) => [one.name, one.definition])),
    definition,
    pauseSeconds: policy.pauseSeconds,
    maxBatchSize: policy.maxBatchSize,
    isOvertaking,
    skip: [],
    size: capacity,
    cooldownMs,
    cooldownEnd,
    turn,
  });
};

/** Of a create or an update. `found` null: the group has no record yet. */
export const scalingGroupRecord = (
  wanted: WantedScaling,
  found: FoundGroup | null,
  draw: DrawNames,
): GroupRecord => {
  const { bounds, desired, definition, policy, adopted } = wanted;
  if (found === null && adopted !== null) {
    checkSize(adopted.length);
    return resizedRecord(found, { ...wanted, capacity: adopted.length }, () => adopted);
  }
  const healthy = found === null ? bounds.minimum : healthySize(found);
  const capacity = clamped(desired ?? healthy, bounds);
  checkSize(capacity);
  return found === null || policy === null || !mustRoll(definition, found)
    ? resizedRecord(found, { ...wanted, capacity }, draw)
    : rolledRecord(found, wanted, policy, capacity, draw);
};

/** Of a signal. Null: the size stays, so there is nothing to do. */
export const scaledRecord = (
  found: FoundGroup,
  adjustment: Adjustment,
  bounds: Bounds,
  cooldown: Cooldown,
  draw: DrawNames,
): GroupRecord | null => {
  const definition = latestOf(found.record);
  const size = healthySize(found);
  const capacity = newCapacity(size, adjustment, bounds);
  if (definition === null || capacity === size) return null;
  return resizedRecord(found, { ...cooldown, capacity, definition }, draw);
};
