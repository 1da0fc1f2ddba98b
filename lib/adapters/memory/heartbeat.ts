import type { Heartbeat, StackKey } from "#lib/ports/store.ts";

export const memoryHeartbeat = (): Heartbeat => {
  let lastSweepAt: number | null = null;
  let cursor: StackKey | null = null;
  return {
    recordSweep: async (at) => {
      lastSweepAt = at;
    },
    lastSweepAt: async () => lastSweepAt,
    putSweepCursor: async (next) => {
      cursor = next;
    },
    sweepCursor: async () => cursor,
  };
};
