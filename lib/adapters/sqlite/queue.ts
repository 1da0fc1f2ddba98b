import { hash } from "node:crypto";
import { assert, present } from "#lib/errors.ts";
import type { Clock } from "#lib/ports/ports.ts";
import {
  DEAD_LETTER_QUEUE,
  MESSAGE_BATCH_MAX,
  MESSAGE_DELAY_MS_MAX,
  type Message,
  type QueueDepth,
  type QueuedMessage,
  RECEIVABLE_QUEUES,
  RECEIVES_MAX,
  type ReceivableQueue,
  type ReceivedMessage,
  type ReceivingQueue,
} from "#lib/ports/queue.ts";
import { takeInTurn } from "../local/take-in-turn.ts";
import { type Database, type DatabaseRow, numberOf, textOf } from "./database.ts";
import type { Counters } from "./outlook.ts";

export interface SqliteQueue extends ReceivingQueue {
  delete(receiptHandle: string): void;
  /**
   * Returns a visible message that a former process was handling when it ended, or null. Messages
   * with the most such ends come first. The receive itself counts as an end, until `clear` or until
   * the message is given back.
   */
  receiveSuspect(queue: ReceivableQueue, visibilityMs: number): ReceivedMessage | null;
  clear(receiptHandle: string): void;
  held(): (message: Message) => boolean;
  onAdded(listener: () => void): void;
}

const SEND = `INSERT INTO messages (queue, tenant, type, visible_at, sent_at, receive_count, body)
  VALUES (?, ?, ?, ?, ?, 0, ?)`;
const VISIBLE = `SELECT sequence, tenant, type, receive_count, sent_at, source, body FROM messages
  WHERE queue = ? AND tenant = ? AND visible_at <= ? ORDER BY visible_at, sequence LIMIT ?`;
const FIRST = `WITH RECURSIVE projects(tenant) AS (
    SELECT min(tenant) FROM messages WHERE queue = ?
    UNION ALL SELECT (SELECT min(tenant) FROM messages WHERE queue = ? AND tenant > projects.tenant)
      FROM projects WHERE tenant IS NOT NULL)
  SELECT tenant, visible_at, sequence FROM projects JOIN messages USING (tenant)
    WHERE sequence = (SELECT sequence FROM messages AS own
      WHERE queue = ? AND own.tenant = projects.tenant ORDER BY visible_at, sequence LIMIT 1)`;
const RECEIVE = "UPDATE messages SET receive_count = ?, visible_at = ? WHERE sequence = ?";
const BURY = "UPDATE messages SET queue = ?, source = ?, visible_at = ? WHERE sequence = ?";
const WHERE_RECEIPT = "WHERE sequence = ? AND receive_count = ?";
const SHOW = `UPDATE messages SET visible_at = ?, ends = 0 ${WHERE_RECEIPT}`;
const CLEAR = `UPDATE messages SET ends = 0 ${WHERE_RECEIPT}`;
const SUSPECT = `UPDATE messages SET ends = ends + 1, receive_count = receive_count + 1, visible_at = ?
  WHERE sequence = (SELECT sequence FROM messages WHERE queue = ? AND ends > 0 AND visible_at <= ?
    ORDER BY ends DESC, sequence LIMIT 1)
  RETURNING sequence, tenant, receive_count, sent_at, source, body`;
const DELETE = `DELETE FROM messages ${WHERE_RECEIPT}`;

const DEPTH = `SELECT count(*) FILTER (WHERE visible_at <= ?) AS waiting,
  count(*) FILTER (WHERE visible_at > ? AND receive_count = 0) AS delayed,
  count(*) FILTER (WHERE visible_at > ? AND receive_count > 0) AS in_flight,
  coalesce(min(visible_at), ?) AS oldest FROM messages WHERE queue = ?`;

const depthOf = (database: Database, queue: ReceivableQueue, now: number): QueueDepth => {
  const row = present(database.get(DEPTH, now, now, now, now, queue), "a count");
  const waiting = numberOf(row, "waiting");
  return {
    queue,
    holds: queue === DEAD_LETTER_QUEUE ? "dead-letters" : "work",
    waiting,
    delayed: numberOf(row, "delayed"),
    inFlight: numberOf(row, "in_flight"),
    oldestWaitingMs: waiting === 0 ? null : now - numberOf(row, "oldest"),
  };
};

/** The receive count is part of the handle, so a later receive makes the handle invalid. */
const receiptOf = (sequence: number, receiveCount: number): string => `${sequence}.${receiveCount}`;
const partsOf = (receiptHandle: string): readonly [number, number] => {
  const [sequence, receiveCount] = receiptHandle.split(".").map(Number);
  return [sequence ?? 0, receiveCount ?? 0];
};

const sourceOf = (row: DatabaseRow): string | null =>
  row["source"] === null ? null : textOf(row, "source");

const received = (row: DatabaseRow, receiveCount: number): ReceivedMessage => ({
  messageId: `message-${numberOf(row, "sequence")}`,
  receiptHandle: receiptOf(numberOf(row, "sequence"), receiveCount),
  tenant: textOf(row, "tenant"),
  body: textOf(row, "body"),
  receiveCount,
  sentAt: numberOf(row, "sent_at"),
  sourceQueue: sourceOf(row),
});

const LISTED = `SELECT sequence, queue, type, visible_at, receive_count, body FROM messages
  ORDER BY sequence`;

const listed = (row: DatabaseRow): QueuedMessage => ({
  messageId: `message-${numberOf(row, "sequence")}`,
  queue: textOf(row, "queue"),
  type: textOf(row, "type"),
  visibleAt: numberOf(row, "visible_at"),
  receiveCount: numberOf(row, "receive_count"),
  body: textOf(row, "body"),
});

const firstOfProjects = (database: Database, queue: ReceivableQueue) =>
  database.all(FIRST, queue, queue, queue).map((row) => ({
    queue,
    tenant: textOf(row, "tenant"),
    visibleAt: numberOf(row, "visible_at"),
    at: numberOf(row, "sequence"),
  }));

const HELD = "SELECT sequence, body FROM messages WHERE sequence > ? ORDER BY sequence LIMIT ?";
const HELD_PAGE_MESSAGES = 1_000;
const MARK_HEX_DIGITS = 12;

/**
 * Bodies of hundreds of thousands of messages would need a hundred megabytes, and their hashes need
 * ten. Two such messages share a hash in one of a hundred thousand snapshots. Then a round sends
 * one lost message less.
 */
const markOf = (body: string): number =>
  Number.parseInt(hash("sha1", body).slice(0, MARK_HEX_DIGITS), 16);

const heldIn = (database: Database): ((message: Message) => boolean) => {
  const marks = new Set<number>();
  let page: readonly DatabaseRow[] = [];
  let last = 0;
  do {
    page = database.all(HELD, last, HELD_PAGE_MESSAGES);
    for (const row of page) {
      marks.add(markOf(textOf(row, "body")));
      last = numberOf(row, "sequence");
    }
  } while (page.length === HELD_PAGE_MESSAGES);
  return (message) => marks.has(markOf(JSON.stringify(message)));
};

const receiver =
  (database: Database, clock: Clock, counters: Counters, buried: () => void) =>
  (queue: ReceivableQueue, row: DatabaseRow, visibilityMs: number) => {
    const now = clock.now();
    const sequence = numberOf(row, "sequence");
    const before = numberOf(row, "receive_count");
    if (queue !== DEAD_LETTER_QUEUE && before >= RECEIVES_MAX) {
      database.run(BURY, DEAD_LETTER_QUEUE, queue, now, sequence);
      database.afterCommit(buried);
      return [];
    }
    database.run(RECEIVE, before + 1, now + visibilityMs, sequence);
    if (queue !== DEAD_LETTER_QUEUE && textOf(row, "type") === "check_resource")
      counters.add("visits");
    return [received(row, before + 1)];
  };

export const sqliteQueue = (database: Database, clock: Clock, counters: Counters): SqliteQueue => {
  let added: () => void = () => undefined;
  const last = new Map<ReceivableQueue, string>();

  const receiveOne = receiver(database, clock, counters, () => added());

  return {
    send: async (queue, messages, delayMs = 0) => {
      assert(messages.length <= MESSAGE_BATCH_MAX, "a batch of messages is too large");
      if (messages.length === 0) return;
      const now = clock.now();
      const visibleAt = now + Math.min(delayMs, MESSAGE_DELAY_MS_MAX);
      await database.grouped(() => {
        for (const message of messages) {
          const { tenant, type } = message;
          database.run(SEND, queue, tenant, type, visibleAt, now, JSON.stringify(message));
        }
        counters.add("messages", messages.length);
        database.afterCommit(added);
      });
    },
    depths: async () => RECEIVABLE_QUEUES.map((queue) => depthOf(database, queue, clock.now())),
    // If a power failure undoes one of these "later" transactions, a message is delivered again.
    receive: (queue, max, visibilityMs, mayTake) =>
      database.atomically(() => {
        const now = clock.now();
        const waiting = firstOfProjects(database, queue)
          .filter(({ visibleAt }) => visibleAt <= now)
          .map(({ tenant }) => tenant);
        return takeInTurn(waiting, last.get(queue) ?? "", max, mayTake).flatMap((turn) => {
          last.set(queue, turn.tenant);
          return database
            .all(VISIBLE, queue, turn.tenant, now, turn.messages)
            .flatMap((row) => receiveOne(queue, row, visibilityMs));
        });
      }, "later"),
    delete: (receiptHandle) => {
      database.atomically(() => database.run(DELETE, ...partsOf(receiptHandle)), "later");
    },
    receiveSuspect: (queue, visibilityMs) =>
      database.atomically(() => {
        const now = clock.now();
        const row = database.get(SUSPECT, now + visibilityMs, queue, now);
        return row && received(row, numberOf(row, "receive_count"));
      }, "later"),
    clear: (receiptHandle) => {
      database.atomically(() => database.run(CLEAR, ...partsOf(receiptHandle)), "later");
    },
    deleteAll: (receiptHandles) =>
      database.grouped(() => {
        for (const handle of receiptHandles) database.run(DELETE, ...partsOf(handle));
      }, "later"),
    changeVisibility: (receiptHandle, visibilityMs) => {
      const visibleAt = clock.now() + visibilityMs;
      database.atomically(() => database.run(SHOW, visibleAt, ...partsOf(receiptHandle)), "later");
    },
    next: (queues, mayTake = () => 1) =>
      queues
        .flatMap((queue) => firstOfProjects(database, queue))
        .filter(({ tenant }) => mayTake(tenant) > 0)
        .sort((a, b) => a.visibleAt - b.visibleAt || a.at - b.at)[0] ?? null,
    held: () => heldIn(database),
    messages: () => database.all(LISTED).map(listed),
    onAdded: (listener) => {
      added = listener;
    },
  };
};
