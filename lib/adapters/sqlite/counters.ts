import { type Database, numberOf, textOf } from "./database.ts";

const COUNTER_NAMES = ["traversals", "visits", "messages", "sync_point_writes", "events"] as const;
export type CounterName = (typeof COUNTER_NAMES)[number];

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
