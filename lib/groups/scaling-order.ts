/** Which members of a scaling group go first, and its change of size without a new definition. */
import { checkSize } from "./names.ts";
import type { DrawNames } from "./random-names.ts";
import type { Existing } from "./roll-step.ts";

/**
 * The failed members go first, then those without the target's definition, and of equal ones
 * the oldest, as in Heat. A record has the oldest first, and orders members of one age
 * by their names. A rollback takes the youngest first, because the failed update has added them.
 */
export const firstToGo = (members: readonly Existing[], isRollback = false): readonly string[] => {
  const failed = members.filter(({ isServing }) => !isServing);
  const outdated = members.filter(({ isServing, isUpToDate }) => isServing && !isUpToDate);
  const current = members.filter(({ isServing, isUpToDate }) => isServing && isUpToDate);
  return [failed, outdated, current]
    .flatMap((alike) => (isRollback ? alike.toReversed() : alike))
    .map(({ name }) => name);
};

/** The members after a resize, those that would go first in front. The new ones are the last. */
export const resized = (
  members: readonly Existing[],
  capacity: number,
  draw: DrawNames,
  isRollback = false,
): readonly string[] => {
  checkSize(capacity);
  const ordered = firstToGo(members, isRollback);
  const kept = ordered.slice(Math.max(ordered.length - capacity, 0));
  return [...kept, ...draw(capacity - kept.length)];
};

/** In the order of a record: those of before keep their places, and the new ones follow. */
export const byAge = (
  names: readonly string[],
  before: readonly Pick<Existing, "name">[],
): readonly string[] => {
  const ages = new Map(before.map(({ name }, age) => [name, age]));
  const ageOf = (name: string): number => ages.get(name) ?? ages.size;
  return names.toSorted((left, right) => ageOf(left) - ageOf(right));
};
