/**
 * What an operation makes of a scaling group (P21), and what a signal to a policy makes of it
 * (P22). Both start from the record that the nested stack has.
 */
import type { GroupRecord, MemberDefinition, OpenSize } from "#lib/model/group-record.ts";
import { type Adjustment, type Bounds, clamped, newCapacity } from "./capacity.ts";
import {
  type BatchPolicy,
  existingMembers,
  type FoundGroup,
  healthySize,
  keptDefinition,
  mustRoll,
  openSize,
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
  /** Null: the size stays. 0 is a size. */
  readonly desired: number | null;
  readonly definition: MemberDefinition;
  /** The names of members that exist already. Null: the operation adopts none. */
  readonly adopted: readonly string[] | null;
  /** Null: a new definition reaches new members only, as in Heat. */
  readonly policy: BatchPolicy | null;
  readonly root: RootState;
  /** Names the operation. */
  readonly turn: string;
  readonly secondsLeft: number;
}

/** The root of the stack that has the group. */
export interface RootState {
  /** Names the last target that it reached, and when. Null: none. */
  readonly reached: string | null;
  /** It brings back that target. */
  readonly isRollback: boolean;
  /** It has reached its target, and does not go to another one. */
  readonly isAtTarget: boolean;
}

interface Resize extends Cooldown {
  readonly capacity: number;
  readonly open: OpenSize;
  readonly definition: MemberDefinition;
  readonly isRollback: boolean;
}

/**
 * Members that stay keep their definition. One that only a failed or overtaken update wanted is
 * none to keep, so those members go before others, and get the target's if they stay.
 */
const resizedRecord = (
  found: FoundGroup | null,
  { capacity, open, definition, isRollback, cooldownMs, cooldownEnd }: Resize,
  draw: DrawNames,
): GroupRecord => {
  const before: readonly Member[] = found === null ? [] : membersOf(found.record);
  const keptOf = found === null ? () => null : keptDefinition(found);
  const existing = found === null ? [] : existingMembers(found, definition);
  const kept = new Set(
    resized(
      existing.map((one) => ({ ...one, isUpToDate: one.isUpToDate || keptOf(one.name) !== null })),
      capacity,
      draw,
      isRollback,
    ),
  );
  const old = before.map(({ name }) => name).filter((name) => kept.has(name));
  // The record has the oldest first, and the new members follow.
  const names = new Set([...old, ...kept]);
  return groupRecord({
    members: [...names].map((name) => ({ name, definition: keptOf(name) ?? definition })),
    definition,
    skip: [],
    size: capacity,
    open,
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
  wanted: WantedScaling & Pick<Resize, "capacity" | "open" | "isRollback">,
  policy: BatchPolicy,
  draw: DrawNames,
): GroupRecord => {
  const { capacity, open, definition, turn, secondsLeft, cooldownMs, cooldownEnd } = wanted;
  const existing = existingMembers(found, definition);
  const isOvertaking = !found.isSettled;
  const { isRollback } = wanted;
  const roll = scalingRoll(existing, capacity, policy, draw, { isOvertaking, isRollback });
  checkPauses(roll.batchCount, policy.pauseSeconds, secondsLeft);
  return rollRecord({
    roll,
    made: found.made,
    definition,
    pauseSeconds: policy.pauseSeconds,
    maxBatchSize: policy.maxBatchSize,
    isOvertaking,
    skip: [],
    size: capacity,
    open,
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
  const { bounds, desired, definition, policy, adopted, root } = wanted;
  const { reached, isRollback, isAtTarget } = root;
  const sized = (capacity: number, size: number | null) => {
    checkSize(capacity);
    return { ...wanted, capacity, isRollback, open: { size, reached } };
  };
  if (found === null) {
    const capacity = adopted?.length ?? clamped(desired ?? bounds.minimum, bounds);
    const names = adopted === null ? draw : () => adopted;
    // The last target that the root stack has reached may not have this group.
    const isKnown = isRollback || isAtTarget || reached === null;
    return resizedRecord(found, sized(capacity, isKnown ? capacity : null), names);
  }
  const known = openSize(found.record, reached);
  const open = known ?? bounds.minimum;
  // A rollback brings back what was, the scalings since the last target included.
  const isBack = isRollback && known !== null;
  const capacity = clamped(isBack ? open : (desired ?? open), bounds);
  const change = sized(capacity, known ?? (isRollback ? capacity : null));
  return policy === null || !mustRoll(definition, found)
    ? resizedRecord(found, change, draw)
    : rolledRecord(found, change, policy, draw);
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
  // Whatever becomes of the operation that made the record, the group was asked for this size.
  const open = { size: capacity, reached: found.record.open?.reached ?? null };
  return resizedRecord(found, { ...cooldown, capacity, open, definition, isRollback: false }, draw);
};
