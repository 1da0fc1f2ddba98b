/**
 * The batches of a ResourceGroup. New members come first, by their names. Then the old ones change,
 * from the highest name below `count` down. Names beyond `count` keep their definition.
 */
import { present } from "#lib/errors.ts";
import { batchSizes, type Existing, type RollPolicy, type RollStep } from "./batches.ts";
import { byIndex, indexNames } from "./names.ts";

/** The group while its batches are planned. A place is an index in the list of all names. */
class Places {
  readonly #count: number;
  readonly #names: readonly string[];
  readonly #taken: number[];
  readonly #isTaken: Set<number>;
  readonly #old: readonly number[];
  #nextOld = 0;
  #nextFree = 0;

  constructor(serving: readonly Existing[], names: readonly string[], count: number) {
    const places = new Map(names.map((name, at) => [name, at]));
    const placed = serving.map((member) => ({ ...member, place: places.get(member.name) }));
    // These names are too high for any batch, so they have no place yet.
    const high = byIndex(placed.filter(({ place }) => place === undefined).map(({ name }) => name));
    const known = placed.flatMap(({ place }) => place ?? []).sort((left, right) => left - right);
    this.#count = count;
    this.#names = [...names, ...high];
    this.#taken = [...known, ...high.map((_, at) => names.length + at)];
    this.#isTaken = new Set(this.#taken);
    this.#old = placed
      .flatMap(({ place, isUpToDate }) => (isUpToDate ? [] : (place ?? [])))
      .filter((place) => place < count)
      .sort((left, right) => right - left);
  }

  get size(): number {
    return this.#taken.length;
  }

  /**
   * The highest members are beyond all free names that are still needed: a group never shrinks
   * below its target, and never grows again after it shrank.
   */
  shrink(size: number): readonly string[] {
    const removed = this.#taken.splice(size);
    for (const place of removed) this.#isTaken.delete(place);
    return removed.map((place) => this.#nameAt(place));
  }

  grow(count: number): readonly string[] {
    const names: string[] = [];
    while (names.length < count) {
      if (!this.#isTaken.has(this.#nextFree)) {
        this.#take(this.#nextFree);
        names.push(this.#nameAt(this.#nextFree));
      }
      this.#nextFree += 1;
    }
    return names;
  }

  change(count: number): readonly string[] {
    const places = this.#old.slice(this.#nextOld, this.#nextOld + Math.max(count, 0));
    this.#nextOld += places.length;
    return places.map((place) => this.#nameAt(place));
  }

  get outside(): number {
    return this.#taken.filter((place) => place >= this.#count).length;
  }

  #take(place: number): void {
    const at = this.#taken.findLastIndex((other) => other < place) + 1;
    this.#taken.splice(at, 0, place);
    this.#isTaken.add(place);
  }

  #nameAt(place: number): string {
    return present(this.#names[place], "the name of a member");
  }
}

export interface GroupTarget {
  readonly count: number;
  readonly skip: readonly string[];
}

/** Members of the skip list go before the first batch, and failed ones count as new. */
export const servingMembers = (
  existing: readonly Existing[],
  skip: readonly string[],
): readonly Existing[] => {
  const skipped = new Set(skip);
  return existing.filter(({ name, isServing }) => isServing && !skipped.has(name));
};

export const groupSteps = (
  existing: readonly Existing[],
  { count, skip }: GroupTarget,
  policy: RollPolicy,
): readonly RollStep[] => {
  const serving = servingMembers(existing, skip);
  const sizes = batchSizes("group", policy, count, serving.length);
  const highest = sizes.reduce((most, { size }) => Math.max(most, size), count);
  const places = new Places(serving, indexNames(highest, skip), count);
  const steps = sizes.map(({ size, changes }): RollStep => {
    const removed = places.shrink(size);
    const made = places.grow(size - places.size);
    const changed = [...made, ...places.change(changes - made.length)];
    return { size, changes, changed, removed };
  });
  return [...steps, ...closingSteps(places, count, policy)];
};

/**
 * A failed create can leave names below `count` free and names beyond it taken. Heat stops there,
 * with members that its outputs do not know. Here the missing members follow, and the others go.
 */
const closingSteps = (
  places: Places,
  count: number,
  { maxBatchSize }: RollPolicy,
): readonly RollStep[] => {
  const steps: RollStep[] = [];
  for (let missing = places.outside; missing > 0; missing -= maxBatchSize) {
    const changed = places.grow(Math.min(missing, maxBatchSize));
    steps.push({ size: places.size, changes: changed.length, changed, removed: [] });
  }
  const removed = places.shrink(count);
  return steps.length === 0 ? [] : [...steps, { size: count, changes: 0, changed: [], removed }];
};
