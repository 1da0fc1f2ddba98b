/** The record of a rolling change: ROLL, with what TRIM takes away. */

import {
  type Batch,
  type GroupParts,
  type GroupRecord,
  groupRecord,
  type MemberDefinition,
} from "./record.ts";
import type { Roll } from "./roll.ts";

export interface RollChange extends Omit<GroupParts, "members" | "batches" | "leaving"> {
  readonly roll: Roll;
  /** What the members of the record below have. */
  readonly former: ReadonlyMap<string, MemberDefinition>;
  readonly definition: MemberDefinition;
  readonly pauseSeconds: number;
  /**
   * The nested stack was not at rest. Then a barrier comes before the first batch too, so that an
   * earlier operation on another member can end.
   */
  readonly isOvertaking: boolean;
}

const batchesOf = ({ roll, pauseSeconds, isOvertaking }: RollChange): readonly Batch[] => {
  const inTurn = roll.batches.map((names) => ({ names, pauseSeconds }));
  const first: readonly Batch[] =
    isOvertaking && inTurn.length > 0 ? [{ names: [], pauseSeconds: 0 }] : [];
  // Heat pauses before it takes the surplus away, and then it grows without a pause.
  const pauseAfter = roll.leaving.size > 0 ? pauseSeconds : 0;
  const hasLast = roll.grown.length > 0 || pauseAfter > 0;
  const last: readonly Batch[] =
    hasLast && inTurn.length > 0 ? [{ names: roll.grown, pauseSeconds: pauseAfter }] : [];
  return [...first, ...inTurn, ...last];
};

/** A member that does not change keeps its definition, and one without any is new. */
export const rollRecord = (change: RollChange): GroupRecord => {
  const { roll, former, definition } = change;
  const changed = new Set(roll.batches.flat());
  return groupRecord({
    ...change,
    members: roll.members.map((name) => ({
      name,
      definition: changed.has(name) ? definition : (former.get(name) ?? definition),
    })),
    batches: batchesOf(change),
    leaving: roll.leaving,
  });
};
