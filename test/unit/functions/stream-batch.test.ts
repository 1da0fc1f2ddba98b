/**
 * Plays Lambda's documented rule: a batch that fails is repeated at once, and its record is set
 * aside after the configured number of tries.
 */
import type { DynamoDBBatchResponse, DynamoDBRecord } from "aws-lambda";
import { expect, it } from "vitest";
import { type Pacing, processByItem, processTogether } from "#functions/stream-batch.ts";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { STREAM_RETRIES_MAX } from "../../../infra/feeds.ts";

const CALL_MS = 80;
const clock = memoryClock();
const pace: Pacing = { clock, pause: async (ms) => clock.advance(ms) };

const record = (stack: string, SequenceNumber: string): DynamoDBRecord => ({
  dynamodb: {
    SequenceNumber,
    Keys: { pk: { S: stack } },
    ApproximateCreationDateTime: clock.now() / 1_000,
  },
});

/** @returns the number of tries, or null when Lambda has set the record aside. */
const triesOf = async (attempt: () => Promise<DynamoDBBatchResponse>): Promise<number | null> => {
  for (let tries = 1; tries <= STREAM_RETRIES_MAX + 1; tries++) {
    clock.advance(CALL_MS);
    if ((await attempt()).batchItemFailures.length === 0) return tries;
  }
  return null;
};

const failingUntil = (end: number) => async (): Promise<void> => {
  if (clock.now() < end) throw new Error("the service is down");
};

it.each([
  ["a blink", 100, 3],
  ["five minutes", 5 * 60_000, 25],
  ["six hours", 6 * 3_600_000, STREAM_RETRIES_MAX],
])("an outage of %s sets no record aside", async (_name, ms, triesMax) => {
  for (const process of ["together", "by item"]) {
    const [records, work] = [[record("s", "1")], failingUntil(clock.now() + ms)];
    const tries = await triesOf(() =>
      process === "together"
        ? processTogether(records, "failed", pace, work)
        : processByItem(records, "failed", pace, async () => {
            await work();
            return () => undefined;
          }),
    );
    expect(tries, process).not.toBeNull();
    expect(tries, process).toBeLessThanOrEqual(triesMax);
  }
});

it("the records of different items are handled at once, and those of one item in order", async () => {
  const records = Array.from({ length: 100 }, (_, at) => record(`s${at % 20}`, String(at)));
  const running = new Set<string>();
  const order: number[] = [];
  let most = 0;
  await processByItem(records, "failed", pace, async ({ dynamodb }) => {
    const stack = JSON.stringify(dynamodb?.Keys);
    expect(running.has(stack)).toBe(false);
    running.add(stack);
    most = Math.max(most, running.size);
    await Promise.resolve();
    running.delete(stack);
    order.push(Number(dynamodb?.SequenceNumber));
    return () => undefined;
  });
  expect(most).toBeGreaterThanOrEqual(10);
  for (let stack = 0; stack < 20; stack++) {
    const own = order.filter((at) => at % 20 === stack);
    expect(own).toEqual(own.toSorted((a, b) => a - b));
  }
  expect(order.length).toBe(100);
});

it("the first failure comes again with all after it, and only those before it are settled", async () => {
  const records = ["a", "b", "c", "b"].map((stack, at) => record(stack, String(at)));
  const settled: string[] = [];
  const answer = await processByItem(records, "failed", pace, async ({ dynamodb }) => {
    const at = dynamodb?.SequenceNumber ?? "";
    if (at === "1") throw new Error("the service is down");
    return () => settled.push(at);
  });
  expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: "1" }] });
  expect(settled).toEqual(["0"]);
});
