/**
 * The change feed, in place of DynamoDB Streams. A change is stored in the transaction of its
 * write.
 */
import * as z from "zod";
import { parseJson } from "#lib/json.ts";
import { RESOURCE_ACTIONS, STACK_ACTIONS, STATUSES } from "#lib/model/action.ts";
import type { Change, SequencedChange } from "#lib/model/event.ts";
import { type Database, numberOf, textOf } from "./database.ts";

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

const moment = z.nullable(z.number());
const named = { tenant: z.string(), id: z.string(), name: z.string(), statusReason: z.string() };

/** The fields with defaults are missing in changes that an earlier version stored. */
const rowImage = z.object({
  ...named,
  stackId: z.string(),
  type: z.string(),
  version: z.number(),
  number: z.number().default(0),
  generation: z.number(),
  action: z.enum(RESOURCE_ACTIONS),
  status: z.enum(STATUSES),
  physicalResourceId: z.nullable(z.string()),
  signalReason: z.nullable(z.string()),
  signalId: z.nullable(z.string()).default(null),
  updatedAt: z.number().default(0),
});
const stackImage = z.object({
  ...named,
  action: z.enum(STACK_ACTIONS),
  status: z.enum(STATUSES),
  actor: z.nullable(z.string()).default(null),
  statusVersion: z.number(),
  traversalId: z.string(),
  traversalNumber: z.number().default(0),
  createdAt: z.number().default(0),
  updatedAt: moment.default(null),
  endedAt: moment.default(null),
});
const storedChange = z.discriminatedUnion("table", [
  z.object({
    table: z.literal("resources"),
    oldImage: z.nullable(rowImage),
    newImage: rowImage,
  }),
  z.object({
    table: z.literal("stacks"),
    oldImage: z.nullable(stackImage),
    newImage: stackImage,
  }),
]);

export const sqliteChanges = (database: Database): ChangeWriter => {
  let added: () => void = () => undefined;
  return {
    read: (max) =>
      database
        .all("SELECT sequence, body FROM changes ORDER BY sequence LIMIT ?", max)
        .map((row) => ({
          sequence: numberOf(row, "sequence"),
          ...storedChange.parse(parseJson(textOf(row, "body"))),
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
