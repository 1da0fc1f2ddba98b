/** A directed graph of "x waits for y" over the positions 0 … n-1, for the graph of a traversal. */

const NONE: readonly number[] = [];

export type Edge = readonly [waiting: number, required: number];

type Edges = readonly (readonly number[])[];

const inverseOf = (size: number, requiredBy: (waiting: number) => Iterable<number>): Edges => {
  const inverse: (number[] | null)[] = Array.from({ length: size }, () => null);
  for (let waiting = 0; waiting < size; waiting += 1) {
    for (const required of requiredBy(waiting)) {
      const known = inverse[required];
      if (known) known.push(waiting);
      else inverse[required] = [waiting];
    }
  }
  return inverse.map((waiting) => waiting ?? NONE);
};

/** Takes positions from `left` until each waits for another one there. */
const takeEnds = (left: Set<number>, requires: Edges, requiredBy: Edges): void => {
  const open = new Map<number, number>();
  for (const at of left) {
    open.set(at, (requires[at] ?? NONE).filter((required) => left.has(required)).length);
  }
  const ends = [...left].filter((at) => open.get(at) === 0);
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) {
    left.delete(end);
    for (const waiting of requiredBy[end] ?? NONE) {
      const count = (open.get(waiting) ?? 0) - 1;
      open.set(waiting, count);
      if (count === 0) ends.push(waiting);
    }
  }
};

export class Dependencies {
  /**
   * Most positions of a large graph wait for one other or for none, and a set takes 200 bytes. So a
   * position has no set before its second edge.
   */
  readonly #requires: (number | Set<number> | null)[];

  constructor(size: number) {
    this.#requires = Array.from({ length: size }, () => null);
  }

  /** Makes `waiting` wait for `required`. Adding an edge again has no effect. */
  addEdge(waiting: number, required: number): void {
    const known = this.#requires[waiting] ?? null;
    if (known === null) this.#requires[waiting] = required;
    else if (typeof known !== "number") known.add(required);
    else if (known !== required) this.#requires[waiting] = new Set([known, required]);
  }

  /** Whether `from` waits for `target`, directly or through others. */
  waitsFor(from: number, target: number): boolean {
    const seen = new Set<number>([from]);
    const stack = [from];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (at === target) return true;
      for (const next of this.#of(at)) {
        if (seen.has(next)) continue;
        seen.add(next);
        stack.push(next);
      }
    }
    return false;
  }

  /** What each position waits for, ascending: sync-point.ts finds positions by binary search. */
  requires(): Edges {
    return this.#requires.map((known) => {
      if (known === null) return NONE;
      return typeof known === "number" ? [known] : [...known].sort((a, b) => a - b);
    });
  }

  /** The inverse of `requires`, ascending. */
  requiredBy(): Edges {
    return inverseOf(this.#requires.length, (waiting) => this.#of(waiting));
  }

  /**
   * The positions that are on a ring, or between two, once these edges are there too. So an edge
   * with an end elsewhere closes no ring. All edges take linear time, where `waitsFor` takes that
   * for each.
   */
  onRingsWith(more: readonly Edge[]): ReadonlySet<number> {
    const requires = this.#requires.map((_, at) => [...this.#of(at)]);
    for (const [waiting, required] of more) requires[waiting]?.push(required);
    const requiredBy = inverseOf(requires.length, (waiting) => requires[waiting] ?? NONE);
    const left = new Set(requires.keys());
    takeEnds(left, requires, requiredBy);
    takeEnds(left, requiredBy, requires);
    return left;
  }

  #of(waiting: number): Iterable<number> {
    const known = this.#requires[waiting] ?? null;
    if (known === null) return NONE;
    return typeof known === "number" ? [known] : known;
  }
}
