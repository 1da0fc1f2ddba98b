/** A directed graph of "x waits for y" over the positions 0 … n-1, for the graph of a traversal. */

export class Dependencies {
  readonly #requires: Set<number>[];

  constructor(size: number) {
    this.#requires = Array.from({ length: size }, () => new Set<number>());
  }

  /** Makes `waiting` wait for `required`. Adding an edge again has no effect. */
  addEdge(waiting: number, required: number): void {
    this.#requires[waiting]?.add(required);
  }

  /** Whether `from` waits for `target`, directly or through others. */
  waitsFor(from: number, target: number): boolean {
    const seen = new Set<number>([from]);
    const stack = [from];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (at === target) return true;
      for (const next of this.#requires[at] ?? []) {
        if (seen.has(next)) continue;
        seen.add(next);
        stack.push(next);
      }
    }
    return false;
  }

  /** What each position waits for, ascending: sync-point.ts finds positions by binary search. */
  requires(): number[][] {
    return this.#requires.map((set) => [...set].sort((a, b) => a - b));
  }

  /** The inverse of `requires`, ascending. */
  requiredBy(): number[][] {
    const inverse: number[][] = this.#requires.map(() => []);
    this.#requires.forEach((set, waiting) => {
      for (const required of set) inverse[required]?.push(waiting);
    });
    return inverse;
  }
}
