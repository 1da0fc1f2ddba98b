import { REFUSED_KINDS } from "#lib/model/evidence.ts";
import type { SeenPolls } from "#lib/model/sighting.ts";
import type { Heartbeat, StackKey } from "#lib/ports/store.ts";
import { type Database, numberOf, textOf } from "./database.ts";

interface SeenServer extends SeenPolls {
  readonly tenant: string;
  readonly name: string;
}

export interface Outlook {
  seenServers(): readonly SeenServer[];
  unsettled(): number;
  lastBackupAt(): number | null;
}

const SEEN = `SELECT json_extract(servers.body, '$.tenant') AS tenant,
    json_extract(servers.body, '$.resourceName') AS name,
    json_extract(seen.body, '$.lastPollAt') AS polled,
    (SELECT max(json_extract(evidence.body, '$.lastSeenAt')) FROM evidence
      WHERE evidence.server_id = servers.id AND deployment_id = ''
        AND kind IN (${REFUSED_KINDS.map((kind) => `'${kind}'`).join(", ")})) AS refused
  FROM servers LEFT JOIN server_sightings AS seen ON seen.server_id = servers.id
  ORDER BY servers.rowid`;

const BACKUP = "backup";
export const RECORD_BACKUP = `INSERT INTO heartbeats (name, at) VALUES ('${BACKUP}', ?)
  ON CONFLICT (name) DO UPDATE SET at = excluded.at`;

const timeIn = (value: unknown): number | null => (typeof value === "number" ? value : null);

export const sqliteOutlook = (database: Database): Outlook => ({
  seenServers: () =>
    database.all(SEEN).map((row) => ({
      tenant: textOf(row, "tenant"),
      name: textOf(row, "name"),
      polledAt: timeIn(row["polled"]),
      refusedAt: timeIn(row["refused"]),
    })),
  unsettled: () => {
    const row = database.get("SELECT count(*) AS stacks FROM stacks WHERE settled = 0");
    return row === null ? 0 : numberOf(row, "stacks");
  },
  lastBackupAt: () => {
    const row = database.get("SELECT at FROM heartbeats WHERE name = ?", BACKUP);
    return row && numberOf(row, "at");
  },
});

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

const COUNTER_NAMES = ["traversals", "visits", "messages", "sync_point_writes", "events"] as const;
type CounterName = (typeof COUNTER_NAMES)[number];

export interface Counters {
  read(): Readonly<Record<string, number>>;
  /** Must be called inside the counted transaction, so that a kill loses both or neither. */
  add(name: CounterName, amount?: number): void;
}

const ADD = `INSERT INTO counters (name, value) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET value = value + excluded.value`;

export const sqliteCounters = (database: Database): Counters => {
  const counted = new Map<CounterName, number>();
  const write = (): void => {
    for (const [name, amount] of counted) database.run(ADD, name, amount);
    counted.clear();
  };
  // The work of a group that was rolled back may run again, and is counted then.
  const forget = (): void => counted.clear();
  return {
    read: () => {
      const stored = database
        .all("SELECT name, value FROM counters")
        .map((row) => [textOf(row, "name"), numberOf(row, "value")]);
      return {
        ...Object.fromEntries(COUNTER_NAMES.map((name) => [name, 0])),
        ...Object.fromEntries(stored),
      };
    },
    add: (name, amount = 1) => {
      database.beforeCommit(write);
      database.afterRollback(forget);
      counted.set(name, (counted.get(name) ?? 0) + amount);
    },
  };
};
