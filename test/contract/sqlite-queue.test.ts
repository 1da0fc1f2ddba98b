import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type MemoryClock, memoryClock } from "#lib/adapters/memory/clock.ts";
import { IN_MEMORY } from "#lib/adapters/sqlite/database.ts";
import { openSqlite, type SqliteAdapter } from "#lib/adapters/sqlite/open-sqlite.ts";
import { DEAD_LETTER_QUEUE } from "#lib/adapters/sqlite/queue.ts";
import { type Message, RECEIVES_MAX } from "#lib/ports/queue.ts";
import { aCheck } from "./records.ts";

const VISIBILITY_MS = 1_000;

let clock: MemoryClock;
let adapter: SqliteAdapter;

beforeEach(() => {
  clock = memoryClock();
  adapter = openSqlite(IN_MEMORY, clock);
});
afterEach(() => adapter.close());

const receive = (max = 10) => adapter.queue.receive("check", max, VISIBILITY_MS);
const rowIds = (bodies: readonly { readonly body: string }[]): readonly string[] =>
  bodies.map(({ body }) => JSON.parse(body).resourceId);
const receiveUntilDead = () => {
  for (let time = 0; time <= RECEIVES_MAX; time++) {
    receive();
    clock.advance(VISIBILITY_MS);
  }
};

describe("receiving", () => {
  it("returns the oldest messages first, at most `max`, each with its text", async () => {
    const messages = ["a", "b", "c"].map(aCheck);
    await adapter.queue.send("check", messages);
    const sentAt = clock.now();
    clock.advance(5);
    const [first, ...others] = receive(2);
    expect(first).toMatchObject({ receiveCount: 1, sentAt, sourceQueue: null });
    expect(JSON.parse(first?.body ?? "")).toEqual(messages[0]);
    expect(rowIds(others)).toEqual(["b"]);
    expect(rowIds(receive())).toEqual(["c"]);
    expect(receive()).toEqual([]);
  });

  it("hides a message until its delay is over", async () => {
    await adapter.queue.send("check", [aCheck("late")], 700);
    expect(adapter.queue.next(["check"])?.visibleAt).toBe(clock.now() + 700);
    clock.advance(699);
    expect(receive()).toEqual([]);
    clock.advance(1);
    expect(rowIds(receive())).toEqual(["late"]);
  });

  it("hides a received message for its visibility time and counts the receives", async () => {
    await adapter.queue.send("check", [aCheck("a")]);
    const [first] = receive();
    clock.advance(VISIBILITY_MS - 1);
    expect(receive()).toEqual([]);
    clock.advance(1);
    const [second] = receive();
    expect(second).toMatchObject({ messageId: first?.messageId, receiveCount: 2 });
    expect(second?.receiptHandle).not.toBe(first?.receiptHandle);
  });

  it("has no next message if the queue is empty", async () => {
    expect(adapter.queue.next(["check"])).toBeNull();
    await adapter.queue.send("poll", [aCheck("a")]);
    expect(adapter.queue.next(["check"])).toBeNull();
  });

  it("does not return a deleted message again", async () => {
    await adapter.queue.send("check", ["a", "b"].map(aCheck));
    for (const { receiptHandle } of receive()) adapter.queue.delete(receiptHandle);
    clock.advance(VISIBILITY_MS);
    expect(receive()).toEqual([]);
    expect(adapter.queue.messages()).toEqual([]);
  });

  it("ignores the receipt of an earlier receive", async () => {
    await adapter.queue.send("check", [aCheck("a")]);
    const stale = receive()[0]?.receiptHandle ?? "";
    clock.advance(VISIBILITY_MS);
    const fresh = receive()[0]?.receiptHandle ?? "";
    adapter.queue.delete(stale);
    adapter.queue.changeVisibility(stale, 0);
    expect(receive()).toEqual([]);
    expect(adapter.queue.messages()).toHaveLength(1);
    adapter.queue.delete(fresh);
    adapter.queue.delete("nonsense");
    expect(adapter.queue.messages()).toEqual([]);
  });

  it("delivers a message earlier or later when its visibility changes", async () => {
    await adapter.queue.send("check", ["a", "b"].map(aCheck));
    const [a, b] = receive();
    adapter.queue.changeVisibility(a?.receiptHandle ?? "", 0);
    adapter.queue.changeVisibility(b?.receiptHandle ?? "", 5_000);
    expect(rowIds(receive())).toEqual(["a"]);
    clock.advance(4_999);
    expect(rowIds(receive())).toEqual(["a"]);
    clock.advance(1);
    expect(rowIds(receive())).toEqual(["b"]);
  });
});

describe("dead letters", () => {
  it("are moved after RECEIVES_MAX receives, with the name of their queue", async () => {
    await adapter.queue.send("check", [aCheck("poison")]);
    for (let count = 1; count <= RECEIVES_MAX; count++) {
      expect(receive()).toMatchObject([{ receiveCount: count }]);
      clock.advance(VISIBILITY_MS);
    }
    expect(adapter.queue.next([DEAD_LETTER_QUEUE])).toBeNull();
    expect(receive()).toEqual([]);
    expect(adapter.queue.next(["check"])).toBeNull();
    expect(adapter.queue.next([DEAD_LETTER_QUEUE])?.visibleAt).toBe(clock.now());
    const [dead] = adapter.queue.receive(DEAD_LETTER_QUEUE, 10, VISIBILITY_MS);
    expect(dead).toMatchObject({ sourceQueue: "check", body: JSON.stringify(aCheck("poison")) });
    adapter.queue.delete(dead?.receiptHandle ?? "");
    expect(adapter.queue.messages()).toEqual([]);
  });

  it("are delivered again in their own queue until they are deleted", async () => {
    await adapter.queue.send("check", [aCheck("poison")]);
    receiveUntilDead();
    for (let time = 0; time < 2 * RECEIVES_MAX; time++) {
      expect(adapter.queue.receive(DEAD_LETTER_QUEUE, 1, VISIBILITY_MS)).toHaveLength(1);
      clock.advance(VISIBILITY_MS);
    }
  });
});

describe("the host's side of the queue", () => {
  it("calls the listener after each send and each dead letter is stored", async () => {
    const seen: number[] = [];
    adapter.queue.onAdded(() => seen.push(adapter.queue.messages().length));
    await adapter.queue.send("check", ["a", "b"].map(aCheck));
    await adapter.queue.send("poll", [aCheck("c")], 500);
    expect(seen).toEqual([2, 3]);
    receiveUntilDead();
    expect(seen).toEqual([2, 3, 3]);
  });

  it("lists every message, in flight or not", async () => {
    await adapter.queue.send("check", [aCheck("a")]);
    await adapter.queue.send("poll", [aCheck("b")], 500);
    receive();
    const type = "check_resource";
    expect(adapter.queue.messages()).toMatchObject([
      { queue: "check", type, receiveCount: 1, visibleAt: clock.now() + VISIBILITY_MS },
      { queue: "poll", type, receiveCount: 0, visibleAt: clock.now() + 500 },
    ]);
  });

  it("takes a snapshot of the messages, in flight or not, of more than a page of them", async () => {
    const names = Array.from({ length: 1_005 }, (_, at) => `row-${at}`);
    for (const name of names) await adapter.queue.send("check", [aCheck(name)]);
    receive();
    const isHeld = adapter.queue.held();
    await adapter.queue.send("check", [aCheck("later")]);
    expect(names.filter((name) => !isHeld(aCheck(name)))).toEqual([]);
    expect(isHeld(aCheck("later"))).toBe(false);
    expect(isHeld({ ...aCheck("row-1"), isUpdate: !aCheck("row-1").isUpdate })).toBe(false);
  });

  it("counts sent messages and visits, including repeated ones, but no dead letters", async () => {
    const prepare = {
      type: "prepare_traversal" as const,
      tenant: "t",
      stackId: "s",
      traversalId: "t",
    };
    await adapter.queue.send("prepare", [prepare]);
    await adapter.queue.send("check", [aCheck("a")]);
    await adapter.queue.send("poll", [aCheck("b")]);
    adapter.queue.receive("prepare", 10, VISIBILITY_MS);
    adapter.queue.receive("poll", 10, VISIBILITY_MS);
    receiveUntilDead();
    adapter.queue.receive(DEAD_LETTER_QUEUE, 10, VISIBILITY_MS);
    const visits = RECEIVES_MAX + 1;
    expect(adapter.counters.read()).toMatchObject({ messages: 3, visits });
  });
});

describe("the counters", () => {
  it("count work of a group once if other work of the group fails", async () => {
    const invalid: Message = JSON.parse('{"type":null}');
    const asked = await Promise.allSettled([
      adapter.queue.send("check", [aCheck("a")]),
      adapter.queue.send("check", [invalid]),
    ]);
    expect(asked.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(adapter.counters.read()).toMatchObject({ messages: 1 });
  });
});

describe("the depths of the queues", () => {
  const depthOf = async (name: string) =>
    (await adapter.queue.depths()).find(({ queue }) => queue === name);

  it("report waiting messages and since when, those in flight, and delayed ones", async () => {
    await adapter.queue.send("check", [aCheck("in hand")]);
    receive();
    await adapter.queue.send("check", [aCheck("waits")]);
    await adapter.queue.send("check", [aCheck("late")], 10_000);
    clock.advance(VISIBILITY_MS - 1);
    expect(await depthOf("check")).toEqual({
      queue: "check",
      holds: "work",
      waiting: 1,
      delayed: 1,
      inFlight: 1,
      oldestWaitingMs: VISIBILITY_MS - 1,
    });
    expect(await depthOf("prepare")).toMatchObject({ waiting: 0, oldestWaitingMs: null });
  });

  it("count a message that was delivered too often among the dead letters", async () => {
    await adapter.queue.send("check", [aCheck("poison")]);
    receiveUntilDead();
    expect(await depthOf("check")).toMatchObject({ waiting: 0, inFlight: 0 });
    expect(await depthOf(DEAD_LETTER_QUEUE)).toMatchObject({ holds: "dead-letters", waiting: 1 });
  });
});
