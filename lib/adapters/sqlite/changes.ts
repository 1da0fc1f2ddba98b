/**
 * The change feed, as DynamoDB Streams are on AWS. A change is stored in the transaction of its
 * write.
 */
import type { Change, ResourceImage, SequencedChange, StackImage } from "#lib/model/change.ts";
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

/** What images that a former version wrote may lack. */
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
    // If a power failure undoes it, the same events are made of the changes once more.
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
