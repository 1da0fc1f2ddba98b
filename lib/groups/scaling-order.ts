import { checkSize } from "./names.ts";
import type { DrawNames } from "./random-names.ts";
import type { Existing } from "./roll-step.ts";

/**
 * Failed members go first, then members without the target's definition, and among equals the
 * oldest, as in Heat. In a rollback the youngest go first, because the failed update has added
 * them.
 */
export const firstToGo = (members: readonly Existing[], isRollback = false): readonly string[] => {
  const failed = members.filter(({ isServing }) => !isServing);
  const outdated = members.filter(({ isServing, isUpToDate }) => isServing && !isUpToDate);
  const current = members.filter(({ isServing, isUpToDate }) => isServing && isUpToDate);
  return [failed, outdated, current]
    .flatMap((alike) => (isRollback ? alike.toReversed() : alike))
    .map(({ name }) => name);
};

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

export const byAge = (
  names: readonly string[],
  before: readonly Pick<Existing, "name">[],
): readonly string[] => {
  const ages = new Map(before.map(({ name }, age) => [name, age]));
  const ageOf = (name: string): number => ages.get(name) ?? ages.size;
  return names.toSorted((left, right) => ageOf(left) - ageOf(right));
};
