/** A directed graph of "x waits for y" over the positions 0 … n-1, for the graph of a traversal. */

const NONE: readonly number[] = [];

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
  requires(): readonly (readonly number[])[] {
    return this.#requires.map((known) => {
      if (known === null) return NONE;
      return typeof known === "number" ? [known] : [...known].sort((a, b) => a - b);
    });
  }

  /** The inverse of `requires`, ascending. */
  requiredBy(): readonly (readonly number[])[] {
    const inverse: (number[] | null)[] = this.#requires.map(() => null);
    this.#requires.forEach((_, waiting) => {
      for (const required of this.#of(waiting)) {
        const known = inverse[required];
        if (known) known.push(waiting);
        else inverse[required] = [waiting];
      }
    });
    return inverse.map((waiting) => waiting ?? NONE);
  }

  #of(waiting: number): Iterable<number> {
    const known = this.#requires[waiting] ?? null;
    if (known === null) return NONE;
    return typeof known === "number" ? [known] : known;
  }
}
