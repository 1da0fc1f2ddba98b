/**
 * The change feed, as DynamoDB Streams are on AWS. A change is stored in the transaction of its
 * write.
 */
import type { Change, SequencedChange } from "#lib/model/change.ts";
import { type Database, numberOf, recordOf } from "./database.ts";

export interface Changes {
  /** The oldest changes, oldest first. They stay until they are deleted. */
  read(max: number): readonly SequencedChange[];
  /** The sequence of the newest change. Null: there is none. */
  newest(): number | null;
  deleteUpTo(sequence: number): Promise<void>;
  /**
   * Sets the one listener. It is called after each commit that added changes. It must be quick and
   * must not throw.
   */
  onAdded(listener: () => void): void;
}

export interface ChangeWriter extends Changes {
  /** Must be called inside the transaction of the write. Null adds nothing. */
  add(change: Change | null): void;
}

export const sqliteChanges = (database: Database): ChangeWriter => {
  let added: () => void = () => undefined;
  return {
    read: (max) =>
      database
        .all("SELECT sequence, body FROM changes ORDER BY sequence LIMIT ?", max)
        .map((row) => ({
          sequence: numberOf(row, "sequence"),
          ...recordOf<Change>(row),
        })),
    newest: () => {
      const row = database.get("SELECT sequence FROM changes ORDER BY sequence DESC LIMIT 1");
      return row === null ? null : numberOf(row, "sequence");
    },
    deleteUpTo: (sequence) =>
      database.grouped(() => {
        database.run("DELETE FROM changes WHERE sequence <= ?", sequence);
      }),
    onAdded: (listener) => {
      added = listener;
    },
    add: (change) => {
      if (!change) return;
      database.run("INSERT INTO changes (body) VALUES (?)", JSON.stringify(change));
      database.afterCommit(added);
    },
  };
};
