/**
 * How Heat divides a rolling change into batches: the size of the group after each batch, and how
 * many members get the new definition in it.
 */
import { assert, RequestError } from "#lib/errors.ts";

interface BatchSize {
  readonly size: number;
  readonly changes: number;
}

export interface RollPolicy {
  readonly maxBatchSize: number;
  readonly minInService: number;
}

export type RollKind = "group" | "scaling";

export const batchSizes = (
  kind: RollKind,
  { maxBatchSize, minInService }: RollPolicy,
  target: number,
  current: number,
): readonly BatchSize[] => {
  assert(maxBatchSize >= 1, `a batch of ${maxBatchSize} members changes nothing`);
  const batches: BatchSize[] = [];
  let capacity = current;
  let updated = 0;
  while (updated < capacity || capacity !== target) {
    const kept = Math.min(minInService, target, capacity);
    const changes = Math.min(maxBatchSize, Math.max(target - updated, 0));
    const size = changes + Math.max(Math.min(capacity, target - changes), kept);
    batches.push({ size, changes });
    // The surplus of a ResourceGroup goes at the end, and that of a scaling group stays.
    const surplus = kind === "group" ? Math.max(size - Math.max(capacity, target), 0) : 0;
    updated += changes - surplus;
    capacity = size;
  }
  return batches;
};

export interface Existing {
  readonly name: string;
  /** Its row is COMPLETE. All others count as failed. */
  readonly isServing: boolean;
  readonly isUpToDate: boolean;
}

export interface RollStep extends BatchSize {
  readonly changed: readonly string[];
  /** The members that go before the others change. */
  readonly removed: readonly string[];
}

export const inBatches = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );

/** Throws Heat's error if the pauses between the batches take all the time that is left. */
export const checkPauses = (
  batchCount: number,
  pauseSeconds: number,
  secondsLeft: number,
): void => {
  const pauses = pauseSeconds * Math.max(batchCount - 1, 0);
  if (pauses === 0 || pauses < secondsLeft) return;
  throw new RequestError(
    "ValueError",
    400,
    "The current update policy will result in stack update timeout.",
  );
};
