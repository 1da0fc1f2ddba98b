import { describe, expect, it } from "vitest";
import {
  MESSAGE_BATCH_MAX,
  MESSAGE_DELAY_MS_MAX,
  type Queue,
  type QueueName,
} from "#lib/ports/queue.ts";
import { limitMs } from "./limits.ts";
import { eachTest, type Open } from "./opened.ts";
import { aCheck } from "./records.ts";

export interface SentMessage {
  readonly message: unknown;
  readonly deliverAt: number;
}

export interface ObservedQueue {
  readonly queue: Queue;
  readonly now: () => number;
  readonly sent: (queue: QueueName) => Promise<readonly SentMessage[]> | readonly SentMessage[];
}

const DELAY_STEP_MS = 1_000;

/** Queues do not guarantee an order. */
const inAnyOrder = (sent: readonly SentMessage[]): readonly SentMessage[] =>
  sent.toSorted((left, right) =>
    JSON.stringify(left.message) < JSON.stringify(right.message) ? -1 : 1,
  );

export const queueContract = (name: string, open: Open<ObservedQueue>): void => {
  describe(name, () => {
    const observed = eachTest(open);

    it("delivers each message of a batch to the named queue", async () => {
      const messages = Array.from({ length: MESSAGE_BATCH_MAX }, (_, at) => aCheck(`row-${at}`));
      await observed().queue.send("check", messages);
      await observed().queue.send("poll", [aCheck("polled")]);
      const deliverAt = observed().now();
      expect(inAnyOrder(await observed().sent("check"))).toEqual(
        messages.map((message) => ({ message, deliverAt })),
      );
      expect(await observed().sent("poll")).toEqual([{ message: aCheck("polled"), deliverAt }]);
      expect(await observed().sent("prepare")).toEqual([]);
    });

    it("carries what the holder of a lease knows", async () => {
      const kept = { token: "token", handle: 'a \u2603 "handle"', physicalResourceId: "id" };
      const message = { ...aCheck("polled"), kept };
      await observed().queue.send("poll", [message]);
      const deliverAt = observed().now();
      expect(await observed().sent("poll")).toEqual([{ message, deliverAt }]);
    });

    it("sends nothing for an empty batch", async () => {
      await observed().queue.send("check", []);
      expect(await observed().sent("check")).toEqual([]);
    });

    it("refuses the whole of a batch that is too large", async () => {
      const messages = Array.from({ length: MESSAGE_BATCH_MAX + 1 }, () => aCheck("row"));
      await expect(observed().queue.send("check", messages)).rejects.toThrow("too large");
      expect(await observed().sent("check")).toEqual([]);
    });

    it(
      "reports the waiting and the delayed messages of each work queue",
      async () => {
        await observed().queue.send("check", [aCheck("one"), aCheck("two")]);
        await observed().queue.send("poll", [aCheck("late")], MESSAGE_DELAY_MS_MAX);
        const work = async () =>
          (await observed().queue.depths())
            .filter(({ holds }) => holds === "work")
            .map(({ queue, waiting, delayed, inFlight }) => [queue, waiting, delayed, inFlight]);
        // SQS counts approximately and late.
        await expect.poll(work, { timeout: limitMs(60_000) }).toEqual([
          ["prepare", 0, 0, 0],
          ["check", 2, 0, 0],
          ["poll", 0, 1, 0],
        ]);
      },
      limitMs(70_000),
    );

    it("delays a message, up to the maximum delay", async () => {
      await observed().queue.send("poll", [aCheck("soon")], 1_500);
      await observed().queue.send("poll", [aCheck("late")], MESSAGE_DELAY_MS_MAX * 2);
      const delays = (await observed().sent("poll"))
        .map(({ deliverAt }) => deliverAt - observed().now())
        .sort((left, right) => left - right);
      expect(delays).toHaveLength(2);
      expect(delays[0]).toBeGreaterThanOrEqual(1_500);
      expect(delays[0]).toBeLessThan(1_500 + DELAY_STEP_MS);
      expect(delays[1]).toBe(MESSAGE_DELAY_MS_MAX);
    });
  });
};
