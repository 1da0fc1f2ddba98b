/**
 * The change feed, in place of DynamoDB Streams. A change is stored in the transaction of its
 * write.
 */
import type { Change, ResourceImage, SequencedChange, StackImage } from "#lib/model/event.ts";
import { type Database, numberOf, recordOf } from "./database.ts";

export interface Changes {
  read(max: number): readonly SequencedChange[];
  newest(): number | null;
  deleteUpTo(sequence: number): Promise<void>;
  /**
   * Sets the one listener, which is called after each commit that added changes. It must be quick
   * and must not throw.
   */
  onAdded(listener: () => void): void;
}

export interface ChangeWriter extends Changes {
  add(change: Change | null): void;
}

const ROW_DEFAULTS: Pick<ResourceImage, "number" | "updatedAt"> = { number: 0, updatedAt: 0 };
const STACK_DEFAULTS: Pick<
  StackImage,
  "actor" | "traversalNumber" | "createdAt" | "updatedAt" | "endedAt"
> = { actor: null, traversalNumber: 0, createdAt: 0, updatedAt: null, endedAt: null };

const completed = (change: Change): Change => {
  if (change.table === "resources") {
    const { oldImage, newImage } = change;
    if (Object.hasOwn(newImage, "updatedAt") && Object.hasOwn(newImage, "number")) return change;
    return {
      ...change,
      oldImage: oldImage && { ...ROW_DEFAULTS, ...oldImage },
      newImage: { ...ROW_DEFAULTS, ...newImage },
    };
  }
  const { oldImage, newImage } = change;
  return {
    ...change,
    oldImage: oldImage && { ...STACK_DEFAULTS, ...oldImage },
    newImage: { ...STACK_DEFAULTS, ...newImage },
  };
};

export const sqliteChanges = (database: Database): ChangeWriter => {
  let added: () => void = () => undefined;
  return {
    read: (max) =>
      database
        .all("SELECT sequence, body FROM changes ORDER BY sequence LIMIT ?", max)
        .map((row) => ({
          sequence: numberOf(row, "sequence"),
          ...completed(recordOf<Change>(row)),
        })),
    newest: () => {
      const row = database.get("SELECT sequence FROM changes ORDER BY sequence DESC LIMIT 1");
      return row === null ? null : numberOf(row, "sequence");
    },
    // If a power failure undoes the deletion, the changes make the same events again.
    deleteUpTo: (sequence) =>
      database.grouped(() => {
        database.run("DELETE FROM changes WHERE sequence <= ?", sequence);
      }, "later"),
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
