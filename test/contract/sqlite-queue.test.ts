import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type MemoryClock, memoryClock } from "#lib/adapters/memory/clock.ts";
import { IN_MEMORY } from "#lib/adapters/sqlite/database.ts";
import { openSqlite, type SqliteAdapter } from "#lib/adapters/sqlite/open-sqlite.ts";
import { parseMessage } from "#lib/convergence/messages.ts";
import { ALONE_MAX, DEAD_LETTER_QUEUE, type Message, RECEIVES_MAX } from "#lib/ports/queue.ts";
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
const receiveUntilDead = () => {
  for (let time = 0; time <= RECEIVES_MAX; time++) {
    receive();
    clock.advance(VISIBILITY_MS);
  }
};

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

describe("messages in hand when a process ends", () => {
  const endOfProcess = () => adapter.voidFormerProcess();
  const takeSuspect = () => adapter.queue.receiveSuspect("check", VISIBILITY_MS);

  it("are set aside after three ends with each alone in hand, and the letter says so", async () => {
    await adapter.queue.send("check", ["poison", "healthy"].map(aCheck));
    receive();
    for (let ends = 0; ends < ALONE_MAX; ends++) {
      endOfProcess();
      expect(takeSuspect()).toMatchObject({
        tenant: "tenant",
        body: JSON.stringify(aCheck("poison")),
      });
    }
    endOfProcess();
    expect(takeSuspect()?.body).toBe(JSON.stringify(aCheck("healthy")));
    expect(takeSuspect()).toBeNull();
    const dead = adapter.queue.receiveSuspect(DEAD_LETTER_QUEUE, VISIBILITY_MS);
    expect(dead).toMatchObject({ sourceQueue: "check" });
    expect(parseMessage(dead?.body ?? "")).toEqual({ ...aCheck("poison"), endsProcess: true });
  });

  it("are not set aside for ends with others in hand", async () => {
    await adapter.queue.send("check", [aCheck("healthy")]);
    for (let ends = 1; ends < RECEIVES_MAX; ends++) {
      expect(receive()).toHaveLength(1);
      endOfProcess();
    }
    expect(takeSuspect()).toMatchObject({ receiveCount: RECEIVES_MAX });
  });

  it.each<[string, (receipt: string) => void]>([
    ["outlives it", (receipt) => adapter.queue.clear(receipt)],
    ["gives it back", (receipt) => adapter.queue.changeVisibility(receipt, 2 * VISIBILITY_MS)],
  ])("are no suspects any more if a process %s", async (_, outlive) => {
    await adapter.queue.send("check", [aCheck("healthy")]);
    receive();
    for (let ends = 0; ends <= ALONE_MAX; ends++) {
      endOfProcess();
      const suspect = takeSuspect();
      expect(suspect).not.toBeNull();
      outlive(suspect?.receiptHandle ?? "");
      expect(takeSuspect()).toBeNull();
    }
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
