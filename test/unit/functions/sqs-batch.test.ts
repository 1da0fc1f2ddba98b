import { describe, expect, it } from "vitest";
import { noMeter } from "#functions/meter.ts";
import { processBatch } from "#functions/sqs-batch.ts";
import { sqsEvent } from "#host/lambda-events.ts";
import { RetryLater } from "#lib/errors.ts";
import { type Message, RECEIVES_MAX } from "#lib/ports/queue.ts";

const record = (messageId: string, receiveCount: number) => ({
  messageId,
  receiveCount,
  receiptHandle: messageId,
  tenant: "t",
  sentAt: 0,
  sourceQueue: null,
  body: JSON.stringify({
    type: "check_resource",
    tenant: "t",
    stackId: "s",
    traversalId: "v",
    resourceId: messageId,
    isUpdate: true,
  }),
});

describe("a batch of records", () => {
  it("tells a message's first delivery from repeated ones, and returns the failed ones", async () => {
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

  const lastDeliveryOf = async (error: Error, sendAnew?: (message: Message) => Promise<void>) => {
    const event = sqsEvent("check", [
      record("early", RECEIVES_MAX - 1),
      record("last", RECEIVES_MAX),
    ]);
    const { batchItemFailures } = await processBatch(event, {
      metric: "Visits" as const,
      meter: noMeter,
      work: () => Promise.reject(error),
      ...(sendAnew ? { sendAnew } : {}),
    });
    return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  };

  it("sends a message as new only if it was busy at its last delivery", async () => {
    const sent: string[] = [];
    const sendAnew = async (message: Message): Promise<void> => {
      sent.push(message.type === "check_resource" ? message.resourceId : message.type);
    };
    expect(await lastDeliveryOf(new RetryLater("busy"), sendAnew)).toEqual(["early"]);
    expect(sent).toEqual(["last"]);
    expect(await lastDeliveryOf(new Error("broken"), sendAnew)).toEqual(["early", "last"]);
    expect(await lastDeliveryOf(new RetryLater("busy"))).toEqual(["early", "last"]);
    expect(sent).toEqual(["last"]);
  });

  it("leaves a message to the dead letters if even its queue does not take it", async () => {
    const busy = () => Promise.reject(new RetryLater("the queue, too"));
    expect(await lastDeliveryOf(new RetryLater("busy"), busy)).toEqual(["early", "last"]);
  });
});
