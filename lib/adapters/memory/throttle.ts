import type { Throttle } from "#lib/ports/ports.ts";

interface Window {
  readonly expiresAt: number;
  readonly counts: Map<string, number>;
}

export const memoryThrottle = (): Throttle => {
  const windows = new Map<number, Window>();
  /** A host may see any number of tenant names, so old counts must not accumulate. */
  const forgetExpired = (now: number): void => {
    for (const [start, { expiresAt }] of windows) if (expiresAt <= now) windows.delete(start);
  };
  return {
    count: async (tenant, windowStart, expiresAt) => {
      const window = windows.get(windowStart) ?? { expiresAt, counts: new Map() };
      if (!windows.has(windowStart)) {
        forgetExpired(windowStart);
        windows.set(windowStart, window);
      }
      const count = (window.counts.get(tenant) ?? 0) + 1;
      window.counts.set(tenant, count);
      return count;
    },
  };
};
