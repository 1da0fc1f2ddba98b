/** Sending to SQS. One entry that the service refuses fails its batch's call no sooner than it must: only what was refused is sent again. */
import { SendMessageBatchCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { assert, Bug, RetryLater } from "#lib/errors.ts";
import {
  MESSAGE_BATCH_MAX,
  MESSAGE_DELAY_MS_MAX,
  type Message,
  type Queue,
  type QueueName,
} from "#lib/ports/queue.ts";

export type QueueUrls = { readonly [Name in QueueName]: string };

const SEND_TRIES_MAX = 4;
const SECOND_MS = 1_000;

/** Whole seconds are what SQS has. Rounded up: a poll that comes early finds nothing. */
const delaySeconds = (delayMs: number): number =>
  Math.ceil(Math.min(delayMs, MESSAGE_DELAY_MS_MAX) / SECOND_MS);

/** `fair`: the tenant is the message group, by which standard queues keep one tenant's backlog from delaying the others. */
export const sqsQueue = (client: SQSClient, urls: QueueUrls, fair: boolean): Queue => {
  const entryOf = (message: Message, at: number, delayMs: number) => ({
    Id: String(at),
    MessageBody: JSON.stringify(message),
    DelaySeconds: delaySeconds(delayMs),
    ...(fair && { MessageGroupId: message.tenant }),
  });

  return {
    send: async (queue, messages, delayMs = 0) => {
      assert(messages.length <= MESSAGE_BATCH_MAX, "a batch of messages is too large");
      let open = messages.map((message, at) => entryOf(message, at, delayMs));
      for (let tries = 0; open.length > 0; tries++) {
        if (tries === SEND_TRIES_MAX) throw new RetryLater(`the ${queue} queue takes no messages`);
        const { Failed = [] } = await client.send(
          new SendMessageBatchCommand({ QueueUrl: urls[queue], Entries: open }),
        );
        const ours = Failed.find(({ SenderFault }) => SenderFault);
        if (ours) throw new Bug(`the ${queue} queue refuses a message: ${ours.Code}`);
        const failed = new Set(Failed.map(({ Id }) => Id));
        open = open.filter(({ Id }) => failed.has(Id));
      }
    },
  };
};
