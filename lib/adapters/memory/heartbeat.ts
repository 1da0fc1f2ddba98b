/** When the sweeper last came to its end. */
import type { Store } from "#lib/ports/store.ts";

export const memoryHeartbeat = (): Pick<Store, "recordSweep" | "lastSweepAt"> => {
  let last: number | null = null;
  return {
    recordSweep: async (at) => {
      last = at;
    },
    lastSweepAt: async () => last,
  };
};
