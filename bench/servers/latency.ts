/** How long requests of one kind took. */
export interface Latencies {
  readonly count: number;
  /** Adds one, in milliseconds. */
  add(ms: number): void;
  /**
   * The smallest time, in milliseconds, that `share` of them did not exceed. 0 if there are none.
   */
  quantile(share: number): number;
}

export const openLatencies = (): Latencies => {
  const all: number[] = [];
  return {
    get count() {
      return all.length;
    },
    add: (ms) => {
      all.push(ms);
    },
    quantile: (share) => {
      const sorted = all.toSorted((left, right) => left - right);
      return sorted[Math.min(Math.ceil(share * sorted.length), sorted.length) - 1] ?? 0;
    },
  };
};
