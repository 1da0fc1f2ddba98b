/**
 * The batches of a scaling group. A surplus member stays, and another one goes for it. The oldest
 * change first. Members with the old definition go first, so in the end no member has it, as in
 * Heat. In a rollback the youngest go first, because the failed update has added them.
 */
import { batchSizes, type Existing, type RollPolicy, type RollStep } from "./batches.ts";
import { checkSize, type DrawNames } from "./names.ts";

class Members {
  readonly #outdated: string[];
  readonly #current: string[];
  readonly #isRollback: boolean;

  constructor(serving: readonly Existing[], isRollback: boolean) {
    this.#isRollback = isRollback;
    const ordered = isRollback ? serving.toReversed() : serving;
    const namesOf = (isCurrent: boolean): string[] =>
      ordered.filter(({ isUpToDate }) => isUpToDate === isCurrent).map(({ name }) => name);
    this.#outdated = namesOf(false);
    this.#current = namesOf(true);
  }

  get size(): number {
    return this.#outdated.length + this.#current.length;
  }

  remove(count: number): readonly string[] {
    const removed = this.#outdated.splice(0, count);
    return [...removed, ...this.#current.splice(0, count - removed.length)];
  }

  add(names: readonly string[]): void {
    this.#current.push(...names);
  }

  change(count: number): readonly string[] {
    const changes = Math.min(Math.max(count, 0), this.#outdated.length);
    const names = this.#isRollback
      ? this.#outdated.splice(this.#outdated.length - changes).reverse()
      : this.#outdated.splice(0, changes);
    this.add(names);
    return names;
  }
}

/** Members that do not serve keep their names, but count as new. The oldest come first. */
export const scalingSteps = (
  existing: readonly Existing[],
  target: number,
  policy: RollPolicy,
  draw: DrawNames,
  isRollback = false,
): readonly RollStep[] => {
  const members = new Members(
    existing.filter(({ isServing }) => isServing),
    isRollback,
  );
  const failed = existing.filter(({ isServing }) => !isServing).map(({ name }) => name);
  return batchSizes("scaling", policy, target, members.size).map(({ size, changes }) => {
    const removed = members.remove(Math.max(members.size - size, 0));
    const count = size - members.size;
    const again = failed.splice(0, count);
    const made = [...again, ...draw(count - again.length)];
    const changed = [...made, ...members.change(changes - made.length)];
    members.add(made);
    return { size, changes, changed, removed };
  });
};

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
