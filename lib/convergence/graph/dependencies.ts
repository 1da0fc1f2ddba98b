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

/** Removes positions from `left` until each waits for another one in it. */
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
   * A set takes 200 bytes, and most positions of a large graph have at most one edge. So a position
   * has no set before its second edge.
   */
  readonly #requires: (number | Set<number> | null)[];

  constructor(size: number) {
    this.#requires = Array.from({ length: size }, () => null);
  }

  addEdge(waiting: number, required: number): void {
    const known = this.#requires[waiting] ?? null;
    if (known === null) this.#requires[waiting] = required;
    else if (typeof known !== "number") known.add(required);
    else if (known !== required) this.#requires[waiting] = new Set([known, required]);
  }

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

  /** The positions that each one waits for, ascending, since indexed-graph.ts bisects them. */
  requires(): Edges {
    return this.#requires.map((known) => {
      if (known === null) return NONE;
      return typeof known === "number" ? [known] : [...known].sort((a, b) => a - b);
    });
  }

  requiredBy(): Edges {
    return inverseOf(this.#requires.length, (waiting) => this.#of(waiting));
  }

  /**
   * The positions that would be on a cycle, or between two, with `more` edges. An edge with an end
   * elsewhere closes no cycle. Takes linear time for all edges, unlike `waitsFor` for each.
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
