/** The record of a rolling change: what ROLL brings, and what TRIM takes away (P20). */

import type { GroupRecord, MemberDefinition } from "#lib/model/group-record.ts";
import type { Definitions } from "./found-group.ts";
import { inBatches } from "./in-batches.ts";
import { type Batch, type GroupParts, groupRecord } from "./record.ts";
import type { Roll } from "./roll.ts";

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
  const first: readonly Batch[] =
    isOvertaking && inTurn.length > 0 ? [{ names: [], pauseSeconds: 0 }] : [];
  // Heat pauses before it takes the surplus away, and then it grows without a pause.
  const pauseAfter = roll.leaving.size > 0 ? pauseSeconds : 0;
  const hasLast = roll.grown.length > 0 || pauseAfter > 0;
  const last: readonly Batch[] =
    hasLast && inTurn.length > 0 ? [{ names: roll.grown, pauseSeconds: pauseAfter }] : [];
  return [...first, ...inTurn, ...last];
};

/** A member that does not change keeps what its row was made from. Without that it is new. */
export const rollRecord = (change: RollChange): GroupRecord => {
  const { roll, made, definition } = change;
  const changed = new Set(roll.batches.flat());
  return groupRecord({
    ...change,
    overtakes: change.isOvertaking,
    definition,
    members: roll.members.map((name) => ({
      name,
      definition: changed.has(name) ? definition : (made.get(name) ?? definition),
    })),
    batches: batchesOf(change),
    leaving: roll.leaving,
  });
};
