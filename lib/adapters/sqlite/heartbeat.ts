import type { Heartbeat, StackKey } from "#lib/ports/store.ts";
import { type Database, numberOf } from "./database.ts";

const SWEEP = "sweep";
const RECORD = `INSERT INTO heartbeats (name, at) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET at = excluded.at`;

/** The cursor is not stored, because a host sweeps all stacks when it starts. */
export const sqliteHeartbeat = (database: Database): Heartbeat => {
  let cursor: StackKey | null = null;
  return {
    recordSweep: async (at) => {
      database.atomically(() => database.run(RECORD, SWEEP, at), "later");
    },
    lastSweepAt: async () => {
      const row = database.get("SELECT at FROM heartbeats WHERE name = ?", SWEEP);
      return row && numberOf(row, "at");
    },
    putSweepCursor: async (next) => {
      cursor = next;
    },
    sweepCursor: async () => cursor,
  };
};
