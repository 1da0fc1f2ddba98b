/**
 * Plans what an operation (P21) or a signal to a policy (P22) makes of a scaling group. Both start
 * from the record of the nested stack.
 */
import type { GroupRecord, MemberDefinition, OpenSize } from "#lib/model/group-record.ts";
import { checkPauses } from "./batches.ts";
import { type Adjustment, type Bounds, clamped, newCapacity } from "./capacity.ts";
import {
  type BatchPolicy,
  existingMembers,
  type FoundGroup,
  healthySize,
  keptDefinitions,
  mustRoll,
  openSize,
} from "./found-group.ts";
import { checkSize, type DrawNames } from "./names.ts";
import { AT_ONCE, groupRecord, latestOf, type Member, membersOf } from "./record.ts";
import { rollRecord, scalingRoll } from "./roll.ts";
import { resized } from "./scaling-steps.ts";

export interface Cooldown {
  readonly cooldownMs: number;
  readonly cooldownEnd: number;
}

export interface WantedScaling extends Cooldown {
  readonly bounds: Bounds;
  readonly desired: number | null;
  readonly definition: MemberDefinition;
  readonly adopted: readonly string[] | null;
  /** Without a policy, a new definition reaches only new members, as in Heat. */
  readonly policy: BatchPolicy | null;
  readonly root: RootState;
  readonly turn: string;
  readonly secondsLeft: number;
}

export interface RootState {
  /** Names the last target that the root reached, and when. */
  readonly reached: string | null;
  readonly isRollback: boolean;
  /** The root has reached its target, and does not go to another one. */
  readonly isAtTarget: boolean;
}

interface Resize extends Cooldown {
  readonly capacity: number;
  readonly open: OpenSize;
  readonly definition: MemberDefinition;
  readonly isRollback: boolean;
}

/**
 * Members that stay keep their definition, unless only a failed or overtaken update wanted it
 * (P21). Such members go before others, and get the target's definition if they stay.
 */
const resizedRecord = (found: FoundGroup | null, change: Resize, draw: DrawNames): GroupRecord => {
  const { capacity, definition } = change;
  const before: readonly Member[] = found === null ? [] : membersOf(found.record);
  const keptOf = found === null ? () => null : keptDefinitions(found);
  const existing = found === null ? [] : existingMembers(found, definition);
  const kept = new Set(
    resized(
      existing.map((one) => ({ ...one, isUpToDate: one.isUpToDate || keptOf(one.name) !== null })),
      capacity,
      draw,
      change.isRollback,
    ),
  );
  const old = before.map(({ name }) => name).filter((name) => kept.has(name));
  const names = new Set([...old, ...kept]);
  return groupRecord({
    ...change,
    ...AT_ONCE,
    members: [...names].map((name) => ({ name, definition: keptOf(name) ?? definition })),
    skip: [],
    size: capacity,
  });
};

const rolledRecord = (
  found: FoundGroup,
  wanted: WantedScaling & Pick<Resize, "capacity" | "open" | "isRollback">,
  policy: BatchPolicy,
  draw: DrawNames,
): GroupRecord => {
  const { capacity, isRollback } = wanted;
  const existing = existingMembers(found, wanted.definition);
  const isOvertaking = !found.isSettled;
  const roll = scalingRoll(existing, capacity, policy, draw, { isOvertaking, isRollback });
  checkPauses(roll.batchCount, policy.pauseSeconds, wanted.secondsLeft);
  return rollRecord({
    ...wanted,
    ...policy,
    roll,
    made: found.made,
    isOvertaking,
    skip: [],
    size: capacity,
  });
};

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
  // A rollback brings back the former size, including the scalings since the last target.
  const isBack = isRollback && known !== null;
  const capacity = clamped(isBack ? open : (desired ?? open), bounds);
  const change = sized(capacity, known ?? (isRollback ? capacity : null));
  return policy === null || !mustRoll(definition, found)
    ? resizedRecord(found, change, draw)
    : rolledRecord(found, change, policy, draw);
};

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
  // Whatever becomes of this operation, the group was asked for this size.
  const open = { size: capacity, reached: found.record.open?.reached ?? null };
  return resizedRecord(found, { ...cooldown, capacity, open, definition, isRollback: false }, draw);
};
