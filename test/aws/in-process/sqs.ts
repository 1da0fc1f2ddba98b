/**
 * Queues in this process. They have no visibility timeout: a received message stays invisible until
 * it is deleted.
 */

import { createHash } from "node:crypto";
import type {
  CreateQueueCommandInput,
  DeleteMessageBatchCommandInput,
  DeleteQueueCommandInput,
  GetQueueAttributesCommandInput,
  Message,
  ReceiveMessageCommandInput,
  SendMessageBatchCommandInput,
} from "@aws-sdk/client-sqs";
import { Bug } from "#lib/errors.ts";

const SECOND_MS = 1_000;
/** Messages that were read are cut off the front of the list once there are so many. */
const HEAD_MAX = 10_000;

/** The SDK compares this hash with what it has sent or received. */
const md5 = (text: string): string => createHash("md5").update(text).digest("hex");

interface Waiting {
  readonly body: string;
  readonly visibleAt: number;
}

class StoredQueue {
  #waiting: Waiting[] = [];
  #head = 0;
  #delayed: Waiting[] = [];
  readonly #received = new Set<string>();
  #receives = 0;

  send(body: string, delaySeconds: number): void {
    const visibleAt = delaySeconds === 0 ? 0 : Date.now() + delaySeconds * SECOND_MS;
    (delaySeconds === 0 ? this.#waiting : this.#delayed).push({ body, visibleAt });
  }

  receive(max: number): Message[] {
    this.#release();
    const messages = this.#waiting.slice(this.#head, this.#head + max);
    this.#head += messages.length;
    if (this.#head > HEAD_MAX) {
      this.#waiting = this.#waiting.slice(this.#head);
      this.#head = 0;
    }
    return messages.map(({ body }) => {
      const receipt = String(this.#receives++);
      this.#received.add(receipt);
      return { MessageId: receipt, ReceiptHandle: receipt, Body: body, MD5OfBody: md5(body) };
    });
  }

  delete(receipt: string): void {
    this.#received.delete(receipt);
  }

  attributes(): Record<string, string> {
    this.#release();
    return {
      ApproximateNumberOfMessages: String(this.#waiting.length - this.#head),
      ApproximateNumberOfMessagesDelayed: String(this.#delayed.length),
      ApproximateNumberOfMessagesNotVisible: String(this.#received.size),
    };
  }

  #release(): void {
    if (this.#delayed.length === 0) return;
    const now = Date.now();
    this.#waiting.push(...this.#delayed.filter(({ visibleAt }) => visibleAt <= now));
    this.#delayed = this.#delayed.filter(({ visibleAt }) => visibleAt > now);
  }
}

export class InProcessSqs {
  readonly #queues = new Map<string, StoredQueue>();

  readonly operations = {
    CreateQueue: ({ QueueName = "" }: CreateQueueCommandInput) => {
      const QueueUrl = `https://sqs.invalid/${QueueName}`;
      if (!this.#queues.has(QueueUrl)) this.#queues.set(QueueUrl, new StoredQueue());
      return { QueueUrl };
    },
    DeleteQueue: ({ QueueUrl = "" }: DeleteQueueCommandInput) => {
      this.#queues.delete(QueueUrl);
      return {};
    },
    SendMessageBatch: ({ QueueUrl, Entries = [] }: SendMessageBatchCommandInput) => {
      const queue = this.#queue(QueueUrl);
      for (const { MessageBody = "", DelaySeconds = 0 } of Entries)
        queue.send(MessageBody, DelaySeconds);
      const sent = Entries.map(({ Id, MessageBody = "" }) => ({
        Id,
        MessageId: Id,
        MD5OfMessageBody: md5(MessageBody),
      }));
      return { Successful: sent, Failed: [] };
    },
    ReceiveMessage: ({ QueueUrl, MaxNumberOfMessages = 1 }: ReceiveMessageCommandInput) => ({
      Messages: this.#queue(QueueUrl).receive(MaxNumberOfMessages),
    }),
    DeleteMessageBatch: ({ QueueUrl, Entries = [] }: DeleteMessageBatchCommandInput) => {
      const queue = this.#queue(QueueUrl);
      for (const { ReceiptHandle = "" } of Entries) queue.delete(ReceiptHandle);
      return { Successful: Entries.map(({ Id }) => ({ Id })), Failed: [] };
    },
    GetQueueAttributes: ({ QueueUrl }: GetQueueAttributesCommandInput) => ({
      Attributes: this.#queue(QueueUrl).attributes(),
    }),
  };

  #queue(url = ""): StoredQueue {
    const queue = this.#queues.get(url);
    if (queue === undefined) throw new Bug(`there is no queue ${url}`);
    return queue;
  }
}
