import { type Database, numberOf, textOf } from "./database.ts";

/** What the embedded host has done since its data folder was made. */
const COUNTER_NAMES = ["traversals", "visits", "messages", "sync_point_writes", "events"] as const;
export type CounterName = (typeof COUNTER_NAMES)[number];

export interface Counters {
  read(): Readonly<Record<string, number>>;
  /** Called inside the transaction that it counts, so that a kill loses neither or both. */
  add(name: CounterName, amount?: number): void;
}

const ADD = `INSERT INTO counters (name, value) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET value = value + excluded.value`;

/** Amounts are summed up until the transaction ends, so that a group of writes counts itself once. */
export const sqliteCounters = (database: Database): Counters => {
  const counted = new Map<CounterName, number>();
  const write = (): void => {
    for (const [name, amount] of counted) database.run(ADD, name, amount);
    counted.clear();
  };
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
      counted.set(name, (counted.get(name) ?? 0) + amount);
    },
  };
};
