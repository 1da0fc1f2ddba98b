import type { SQSEvent } from "aws-lambda";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type QueueHandler, type QueuePoller, startPoller } from "#host/queue-poller.ts";
import { systemClock } from "#lib/adapters/node/platform.ts";
import { openSqlite, type SqliteAdapter } from "#lib/adapters/sqlite/open-sqlite.ts";
import { VISIT_MS_MAX } from "#lib/convergence/limits.ts";
import { RetryLater } from "#lib/errors.ts";
import type { PrepareTraversalMessage } from "#lib/ports/queue.ts";

const message = (traversalId: string, tenant = "demo"): PrepareTraversalMessage => ({
  type: "prepare_traversal",
  tenant,
  stackId: "stack-1",
  traversalId,
});

let database: SqliteAdapter;
let poller: QueuePoller;
const seen: string[] = [];

beforeEach(() => {
  seen.length = 0;
  database = openSqlite(":memory:", systemClock());
});
afterEach(async () => {
  await poller.stop();
  database.close();
});

const start = (handler: QueueHandler, concurrency = 2, source = database.queue): void => {
  poller = startPoller(source, { queue: "prepare", handler, concurrency, now: Date.now });
  database.queue.onAdded(poller.wake);
  poller.wake();
};

const bodies = (event: SQSEvent): readonly string[] => event.Records.map(({ body }) => body);
const take: QueueHandler = async (event) => {
  seen.push(...bodies(event));
  return { batchItemFailures: [] };
};
const sendMany = async (count: number, delayMs = 0): Promise<void> => {
  for (let index = 0; index < count; index += 1) {
    await database.queue.send("prepare", [message(`t${index}`)], delayMs);
  }
};

describe("the queue poller", () => {
  it("is woken by a send, feeds batches of at most ten and deletes handled messages", async () => {
    const batches: number[] = [];
    start(async (event, context) => {
      batches.push(event.Records.length);
      return take(event, context);
    });
    await sendMany(25);
    await expect.poll(() => seen.length).toBe(25);
    expect(Math.max(...batches)).toBeLessThanOrEqual(10);
    await expect.poll(() => database.queue.messages()).toEqual([]);
  });

  it("gives a prepare minutes, since one that is given up works on beside its successor", async () => {
    let remainingMs = 0;
    start((event, context) => {
      remainingMs = context.getRemainingTimeInMillis();
      return take(event, context);
    });
    await sendMany(1);
    await expect.poll(() => seen.length).toBe(1);
    expect(remainingMs).toBeGreaterThan(4 * VISIT_MS_MAX);
  });

  it("wakes for a delayed message by itself", async () => {
    start(take);
    await sendMany(1, 30);
    expect(seen).toEqual([]);
    await expect.poll(() => seen.length).toBe(1);
  });

  it("delivers again only the messages that the handler returned as failed", async () => {
    let refused = 0;
    start(async (event) => {
      const bad = event.Records.filter(({ body }) => body.includes('"t1"') && refused === 0);
      refused += bad.length;
      seen.push(...bodies(event));
      return { batchItemFailures: bad.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    });
    await sendMany(3);
    await expect.poll(() => seen.length, { timeout: 10_000 }).toBe(4);
    expect(seen.filter((body) => body.includes('"t1"'))).toHaveLength(2);
    await expect.poll(() => database.queue.messages()).toEqual([]);
  });

  it("delivers a whole batch again when the handler throws", async () => {
    let calls = 0;
    start(async (event, context) => {
      calls += 1;
      if (calls === 1) throw new Error("out of memory");
      return take(event, context);
    });
    await sendMany(1);
    await expect.poll(() => seen.length, { timeout: 10_000 }).toBe(1);
  });

  it("asks a storage again that has failed, and delivers no message twice for that", async () => {
    const failures = { receive: 1, deleteAll: 1 };
    const failOnce = (call: keyof typeof failures): void => {
      failures[call] -= 1;
      if (failures[call] >= 0) throw new RetryLater("the disk is full");
    };
    start(take, 2, {
      ...database.queue,
      receive: (...request) => {
        failOnce("receive");
        return database.queue.receive(...request);
      },
      deleteAll: async (receipts) => {
        failOnce("deleteAll");
        return database.queue.deleteAll(receipts);
      },
    });
    await sendMany(1);
    await expect.poll(() => database.queue.messages(), { timeout: 10_000 }).toEqual([]);
    expect(seen).toHaveLength(1);
    expect(failures.deleteAll).toBeLessThan(0);
  });

  it("gives a failed message back soon, though the storage refuses that at first", async () => {
    let calls = 0;
    let refused = 0;
    start(
      async (event, context) => {
        calls += 1;
        if (calls === 1) throw new RetryLater("the disk is full");
        return take(event, context);
      },
      2,
      {
        ...database.queue,
        changeVisibility: (receipt, ms) => {
          refused += 1;
          if (refused === 1) throw new RetryLater("the disk is full");
          database.queue.changeVisibility(receipt, ms);
        },
      },
    );
    await sendMany(1);
    await expect.poll(() => seen.length, { timeout: 10_000 }).toBe(1);
    expect(refused).toBeGreaterThan(1);
  });

  it("tells when the oldest batch that runs began", async () => {
    const releases: (() => void)[] = [];
    start(async () => {
      await new Promise<void>((resolve) => releases.push(resolve));
      return { batchItemFailures: [] };
    }, 3);
    expect(poller.oldestStart()).toBeNull();
    const before = Date.now();
    await sendMany(1);
    await expect.poll(() => releases.length).toBe(1);
    const first = poller.oldestStart();
    expect(first).toBeGreaterThanOrEqual(before);
    expect(first).toBeLessThanOrEqual(Date.now());
    await sendMany(1);
    await expect.poll(() => releases.length).toBe(2);
    expect(poller.oldestStart()).toBe(first);
    for (const release of releases) release();
    await expect.poll(() => poller.oldestStart()).toBeNull();
  });

  it("keeps a batch for other projects while one project's work takes long", async () => {
    const releases: (() => void)[] = [];
    start(async (event, context) => {
      if (event.Records.some(({ body }) => body.includes('"demo"')))
        await new Promise<void>((resolve) => releases.push(resolve));
      return take(event, context);
    }, 3);
    await sendMany(40);
    for (const id of ["first", "second"]) {
      await database.queue.send("prepare", [message(id, "other")]);
      await expect.poll(() => seen).toContain(JSON.stringify(message(id, "other")));
    }
    expect(releases).toHaveLength(2);
    const stopped = poller.stop();
    for (const release of releases) release();
    await stopped;
  });

  it("runs no more batches at once than allowed, and stops when they are done", async () => {
    let inHand = 0;
    let most = 0;
    const releases: (() => void)[] = [];
    start(async (event) => {
      inHand += 1;
      most = Math.max(most, inHand);
      await new Promise<void>((resolve) => releases.push(resolve));
      inHand -= 1;
      seen.push(...bodies(event));
      return { batchItemFailures: [] };
    }, 3);
    await sendMany(40);
    await expect.poll(() => inHand).toBe(2);
    const stopped = poller.stop();
    for (const release of releases) release();
    await stopped;
    expect(most).toBe(2);
    expect(database.queue.messages()).toHaveLength(40 - seen.length);
  });
});
