/** Sends to SQS. If the service refuses some entries of a batch, only these are sent again. */
import {
  GetQueueAttributesCommand,
  type QueueAttributeName,
  SendMessageBatchCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import { assert, Bug } from "#lib/errors.ts";
import {
  MESSAGE_BATCH_MAX,
  MESSAGE_DELAY_MS_MAX,
  type Message,
  type Queue,
  type QueueDepth,
  type QueueHolds,
  type QueueName,
} from "#lib/ports/queue.ts";
import { type Backoff, sendLeftovers, systemBackoff } from "./leftovers.ts";

export type QueueUrls = { readonly [Name in QueueName]: string };

export interface WatchedQueue {
  readonly queue: string;
  readonly holds: QueueHolds;
  readonly url: string;
}

const SECOND_MS = 1_000;

const GROUP_CHARS_MAX = 128;

/**
 * SQS counts whole seconds. The delay is rounded up, because a poll that is early finds nothing.
 */
const delaySeconds = (delayMs: number): number =>
  Math.ceil(Math.min(delayMs, MESSAGE_DELAY_MS_MAX) / SECOND_MS);

const COUNTED = [
  "ApproximateNumberOfMessages",
  "ApproximateNumberOfMessagesDelayed",
  "ApproximateNumberOfMessagesNotVisible",
] as const satisfies readonly QueueAttributeName[];

/**
 * `oldestWaitingMs` is unknown: only CloudWatch reports the age of the oldest message, and its
 * permissions cannot be limited to one queue.
 */
const depthOf = async (
  client: SQSClient,
  { queue, holds, url }: WatchedQueue,
): Promise<QueueDepth> => {
  const { Attributes = {} } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: [...COUNTED] }),
  );
  const count = (name: (typeof COUNTED)[number]): number => Number(Attributes[name] ?? 0);
  return {
    queue,
    holds,
    waiting: count("ApproximateNumberOfMessages"),
    delayed: count("ApproximateNumberOfMessagesDelayed"),
    inFlight: count("ApproximateNumberOfMessagesNotVisible"),
    oldestWaitingMs: null,
  };
};

const workQueues = ({ prepare, check, poll }: QueueUrls): readonly WatchedQueue[] => [
  { queue: "prepare", holds: "work", url: prepare },
  { queue: "check", holds: "work", url: check },
  { queue: "poll", holds: "work", url: poll },
];

/**
 * If `fair` is set, the tenant is the message group, so one tenant's backlog does not delay others.
 */
export const sqsQueue = (
  client: SQSClient,
  urls: QueueUrls,
  fair: boolean,
  watched: readonly WatchedQueue[] = [],
  backoff: Backoff = systemBackoff(),
): Queue => {
  const entryOf = (message: Message, at: number, delayMs: number) => ({
    Id: String(at),
    MessageBody: JSON.stringify(message),
    DelaySeconds: delaySeconds(delayMs),
    // Projects with the same first 128 characters share a group, and can delay each other.
    ...(fair && { MessageGroupId: message.tenant.slice(0, GROUP_CHARS_MAX) }),
  });

  return {
    depths: () =>
      Promise.all([...workQueues(urls), ...watched].map((queue) => depthOf(client, queue))),
    send: async (queue, messages, delayMs = 0) => {
      assert(messages.length <= MESSAGE_BATCH_MAX, "a batch of messages is too large");
      const all = messages.map((message, at) => entryOf(message, at, delayMs));
      await sendLeftovers(backoff, all, `the ${queue} queue takes no messages`, async (open) => {
        const { Failed = [] } = await client.send(
          new SendMessageBatchCommand({ QueueUrl: urls[queue], Entries: [...open] }),
        );
        const ours = Failed.find(({ SenderFault }) => SenderFault);
        if (ours) throw new Bug(`the ${queue} queue refuses a message: ${ours.Code}`);
        const failed = new Set(Failed.map(({ Id }) => Id));
        return open.filter(({ Id }) => failed.has(Id));
      });
    },
  };
};
