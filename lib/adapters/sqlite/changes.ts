/** The change feed: what DynamoDB Streams are in the cloud. A change is stored in the transaction of its write. */
import type { Change, SequencedChange } from "#lib/model/change.ts";
import { type Database, numberOf, recordOf } from "./database.ts";

export interface Changes {
  /** The oldest changes, oldest first; they stay until they are deleted. */
  read(max: number): readonly SequencedChange[];
  deleteUpTo(sequence: number): void;
  /** Called after the commit of a transaction that added changes. There is one listener, quick, which must not throw. */
  onAdded(listener: () => void): void;
}

export interface ChangeWriter extends Changes {
  /** Null is no news. Called inside the transaction of the write. */
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
    deleteUpTo: (sequence) => {
      database.run("DELETE FROM changes WHERE sequence <= ?", sequence);
    },
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
