import { describe, expect, it } from "vitest";
import type { MemoryClock } from "#lib/adapters/memory/clock.ts";
import { DEAD_LETTER_QUEUE, RECEIVES_MAX, type ReceivingQueue } from "#lib/ports/queue.ts";
import { eachTest, type Open } from "./opened.ts";
import { aCheck } from "./records.ts";

const VISIBILITY_MS = 1_000;

export interface TimedQueue {
  readonly queue: ReceivingQueue;
  readonly clock: MemoryClock;
}

const rowIds = (bodies: readonly { readonly body: string }[]): readonly string[] =>
  bodies.map(({ body }) => JSON.parse(body).resourceId);

export const receivingQueueContract = (name: string, open: Open<TimedQueue>): void => {
  describe(name, () => {
    const opened = eachTest(open);
    const queue = (): ReceivingQueue => opened().queue;
    const clock = (): MemoryClock => opened().clock;
    const receive = (max = 10) => queue().receive("check", max, VISIBILITY_MS);
    const receiveUntilDead = () => {
      for (let time = 0; time <= RECEIVES_MAX; time++) {
        receive();
        clock().advance(VISIBILITY_MS);
      }
    };

    describe("receiving", () => {
      it("returns the oldest messages first, at most `max`, each with its text", async () => {
        const messages = ["a", "b", "c"].map(aCheck);
        await queue().send("check", messages);
        const sentAt = clock().now();
        clock().advance(5);
        const [first, ...others] = receive(2);
        expect(first).toMatchObject({ receiveCount: 1, sentAt, sourceQueue: null });
        expect(JSON.parse(first?.body ?? "")).toEqual(messages[0]);
        expect(rowIds(others)).toEqual(["b"]);
        expect(rowIds(receive())).toEqual(["c"]);
        expect(receive()).toEqual([]);
      });

      it("hides a message until its delay is over", async () => {
        await queue().send("check", [aCheck("late")], 700);
        expect(queue().next(["check"])?.visibleAt).toBe(clock().now() + 700);
        clock().advance(699);
        expect(receive()).toEqual([]);
        clock().advance(1);
        expect(rowIds(receive())).toEqual(["late"]);
      });

      it("hides a received message for its visibility time and counts the receives", async () => {
        await queue().send("check", [aCheck("a")]);
        const [first] = receive();
        clock().advance(VISIBILITY_MS - 1);
        expect(receive()).toEqual([]);
        clock().advance(1);
        const [second] = receive();
        expect(second).toMatchObject({ messageId: first?.messageId, receiveCount: 2 });
        expect(second?.receiptHandle).not.toBe(first?.receiptHandle);
      });

      it("has no next message if the queue is empty", async () => {
        expect(queue().next(["check"])).toBeNull();
        await queue().send("poll", [aCheck("a")]);
        expect(queue().next(["check"])).toBeNull();
      });

      it("does not return a deleted message again", async () => {
        await queue().send("check", ["a", "b"].map(aCheck));
        await queue().deleteAll(receive().map(({ receiptHandle }) => receiptHandle));
        clock().advance(VISIBILITY_MS);
        expect(receive()).toEqual([]);
        expect(queue().messages()).toEqual([]);
      });

      it("ignores the receipt of an earlier receive", async () => {
        await queue().send("check", [aCheck("a")]);
        const stale = receive()[0]?.receiptHandle ?? "";
        clock().advance(VISIBILITY_MS);
        const fresh = receive()[0]?.receiptHandle ?? "";
        await queue().deleteAll([stale]);
        queue().changeVisibility(stale, 0);
        expect(receive()).toEqual([]);
        expect(queue().messages()).toHaveLength(1);
        await queue().deleteAll([fresh, "nonsense"]);
        expect(queue().messages()).toEqual([]);
      });

      it("delivers a message earlier or later when its visibility changes", async () => {
        await queue().send("check", ["a", "b"].map(aCheck));
        const [a, b] = receive();
        queue().changeVisibility(a?.receiptHandle ?? "", 0);
        queue().changeVisibility(b?.receiptHandle ?? "", 5_000);
        expect(rowIds(receive())).toEqual(["a"]);
        clock().advance(4_999);
        expect(rowIds(receive())).toEqual(["a"]);
        clock().advance(1);
        expect(rowIds(receive())).toEqual(["b"]);
      });
    });

    describe("several projects", () => {
      const send = async (tenant: string, messages: number) => {
        for (let at = 0; at < messages; at++)
          await queue().send("check", [{ ...aCheck(`${tenant}-${at}`), tenant }]);
      };

      it("are taken in turn, so one message does not wait for all of another project's", async () => {
        await send("large", 500);
        clock().advance(5);
        await send("small", 1);
        const before = receive().filter(({ tenant }) => tenant === "large").length;
        const first = [...rowIds(receive()), ...rowIds(receive())];
        expect(before + first.indexOf("small-0")).toBeLessThan(10);
        expect(rowIds(receive(100)).slice(0, 2)).not.toContain("small-0");
      });

      it("each have their turn, however few a receive takes, and the oldest first", async () => {
        for (const tenant of ["b", "c", "a"]) await send(tenant, 2);
        const taken = Array.from({ length: 3 }, () => rowIds(receive(2))).flat();
        expect(taken).toEqual(["a-0", "b-0", "c-0", "a-1", "b-1", "c-1"]);
      });

      it("have no more taken of them than they may, nor shown as next", async () => {
        for (const tenant of ["full", "part", "free"]) await send(tenant, 5);
        const mayTake = (tenant: string) => ({ full: 0, part: 2 })[tenant] ?? 9;
        const taken = queue().receive("check", 8, VISIBILITY_MS, mayTake);
        expect(rowIds(taken).toSorted()).toEqual([
          "free-0",
          "free-1",
          "free-2",
          "free-3",
          "part-0",
          "part-1",
        ]);
        expect(queue().next(["check"], () => 0)).toBeNull();
        expect(queue().next(["check"], mayTake)).toMatchObject({ visibleAt: clock().now() });
      });
    });

    describe("dead letters", () => {
      it("are moved after RECEIVES_MAX receives, with the name of their queue", async () => {
        await queue().send("check", [aCheck("poison")]);
        for (let count = 1; count <= RECEIVES_MAX; count++) {
          expect(receive()).toMatchObject([{ receiveCount: count }]);
          clock().advance(VISIBILITY_MS);
        }
        expect(queue().next([DEAD_LETTER_QUEUE])).toBeNull();
        expect(receive()).toEqual([]);
        expect(queue().next(["check"])).toBeNull();
        expect(queue().next([DEAD_LETTER_QUEUE])?.visibleAt).toBe(clock().now());
        const [dead] = queue().receive(DEAD_LETTER_QUEUE, 10, VISIBILITY_MS);
        expect(dead).toMatchObject({
          sourceQueue: "check",
          body: JSON.stringify(aCheck("poison")),
        });
        await queue().deleteAll([dead?.receiptHandle ?? ""]);
        expect(queue().messages()).toEqual([]);
      });

      it("are delivered again in their own queue until they are deleted", async () => {
        await queue().send("check", [aCheck("poison")]);
        receiveUntilDead();
        for (let time = 0; time < 2 * RECEIVES_MAX; time++) {
          expect(queue().receive(DEAD_LETTER_QUEUE, 1, VISIBILITY_MS)).toHaveLength(1);
          clock().advance(VISIBILITY_MS);
        }
      });
    });

    describe("what is stored", () => {
      it("lists every message, in flight or not", async () => {
        await queue().send("check", [aCheck("a")]);
        await queue().send("poll", [aCheck("b")], 500);
        receive();
        const type = "check_resource";
        expect(queue().messages()).toMatchObject([
          { queue: "check", type, receiveCount: 1, visibleAt: clock().now() + VISIBILITY_MS },
          { queue: "poll", type, receiveCount: 0, visibleAt: clock().now() + 500 },
        ]);
      });
    });

    describe("the depths of the queues", () => {
      const depthOf = async (name: string) =>
        (await queue().depths()).find(({ queue }) => queue === name);

      it("report waiting messages and since when, those in flight, and delayed ones", async () => {
        await queue().send("check", [aCheck("in hand")]);
        receive();
        await queue().send("check", [aCheck("waits")]);
        await queue().send("check", [aCheck("late")], 10_000);
        clock().advance(VISIBILITY_MS - 1);
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
        await queue().send("check", [aCheck("poison")]);
        receiveUntilDead();
        expect(await depthOf("check")).toMatchObject({ waiting: 0, inFlight: 0 });
        expect(await depthOf(DEAD_LETTER_QUEUE)).toMatchObject({
          holds: "dead-letters",
          waiting: 1,
        });
      });
    });
  });
};
