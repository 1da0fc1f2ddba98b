export interface Latencies {
  readonly count: number;
  add(ms: number): void;
  /** In milliseconds. @returns 0 without any times. */
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
