import type { Heartbeat } from "#lib/ports/store.ts";

export const memoryHeartbeat = (): Heartbeat => {
  let lastSweepAt: number | null = null;
  return {
    recordSweep: async (at) => {
      lastSweepAt = at;
    },
    lastSweepAt: async () => lastSweepAt,
  };
};
