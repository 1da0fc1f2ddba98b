import { describe, expect, it } from "vitest";
import { noMeter } from "#functions/meter.ts";
import { processBatch } from "#functions/sqs-batch.ts";
import { RetryLater } from "#lib/errors.ts";
import { sqsEvent } from "../../../cli/serve/lambda-events.ts";

const record = (messageId: string, receiveCount: number) => ({
  ...{ messageId, receiveCount, receiptHandle: messageId, sentAt: 0, sourceQueue: null },
  body: JSON.stringify({
    ...{ type: "check_resource", tenant: "t", stackId: "s", traversalId: "v" },
    ...{ resourceId: messageId, isUpdate: true },
  }),
});

describe("a batch of records", () => {
  it("tells a message's first delivery from the queue's repetitions, and gives back what failed", async () => {
    const seen: (readonly [string, boolean])[] = [];
    const event = sqsEvent("check", [record("first", 1), record("again", 2), record("busy", 3)]);
    const answer = await processBatch(event, {
      metric: "Visits",
      meter: noMeter,
      work: async (message, isRepeated) => {
        if (message.type !== "check_resource") return "another";
        seen.push([message.resourceId, isRepeated]);
        if (message.resourceId === "busy") throw new RetryLater("busy");
        return "propagated";
      },
    });
    expect(seen).toEqual([
      ["first", false],
      ["again", true],
      ["busy", true],
    ]);
    expect(answer.batchItemFailures).toEqual([{ itemIdentifier: "busy" }]);
  });
});
