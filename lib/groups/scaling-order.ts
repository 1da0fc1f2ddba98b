/** Which members of a scaling group go first, and its change of size without a new definition. */
import { checkSize } from "./names.ts";
import type { DrawNames } from "./random-names.ts";
import type { Existing } from "./roll-step.ts";

type Aged = Pick<Existing, "name" | "isServing">;

/**
 * Heat's order: the failed members, then the oldest. A record has the oldest first, and orders
 * members of one age by their names.
 */
export const firstToGo = (members: readonly Aged[]): readonly string[] => {
  const failed = members.filter(({ isServing }) => !isServing);
  const serving = members.filter(({ isServing }) => isServing);
  return [...failed, ...serving].map(({ name }) => name);
};

/** The members after a resize, in Heat's order. The new ones are the last. */
export const resized = (
  members: readonly Aged[],
  capacity: number,
  draw: DrawNames,
): readonly string[] => {
  checkSize(capacity);
  const ordered = firstToGo(members);
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
