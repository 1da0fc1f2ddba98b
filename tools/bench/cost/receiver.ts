/** Receives and deletes messages as Lambda does, and counts these requests. */
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import type { AwsConnection } from "#lib/adapters/aws/clients.ts";
import type { AwsPlace } from "#lib/adapters/aws/open-aws.ts";
import type { QueueName } from "#lib/ports/queue.ts";
import { QUEUE_BATCHES } from "../../../infra/capacity.ts";

/** Far longer than any batch takes, so a slow batch is not delivered twice. */
const INVISIBLE_SECONDS = 3_600;
const QUEUES = ["prepare", "check", "poll"] as const satisfies readonly QueueName[];

export interface Batch {
  readonly queue: QueueName;
  readonly messages: readonly Message[];
}

export interface Receiver {
  readonly requests: { readonly [operation: string]: number };
  receiveAll(): Promise<readonly Batch[]>;
  remove(batch: Batch): Promise<void>;
  close(): void;
}

/**
 * Two polls rarely become due together. So a poll comes alone, unless its queue has a batch window.
 */
const batchMax = (queue: QueueName): number => {
  const { max, windowSeconds } = QUEUE_BATCHES[queue];
  return queue === "poll" && windowSeconds === 0 ? 1 : max;
};

/** Empty receives are not counted, because they do not belong to a traversal. */
export const openReceiver = (connection: AwsConnection, place: AwsPlace): Receiver => {
  const { endpoint, meter, ...options } = connection;
  const client = new SQSClient({
    ...options,
    ...(endpoint && { endpoint: typeof endpoint === "string" ? endpoint : endpoint.sqs }),
  });
  if (meter !== undefined) client.middlewareStack.use(meter.counting("sqs"));
  const requests = { "sqs ReceiveMessage": 0, "sqs DeleteMessageBatch": 0 };
  const receive = async (queue: QueueName): Promise<readonly Message[]> => {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: place.queues[queue],
        MaxNumberOfMessages: batchMax(queue),
        VisibilityTimeout: INVISIBLE_SECONDS,
      }),
    );
    if (Messages.length > 0) requests["sqs ReceiveMessage"]++;
    return Messages;
  };
  return {
    requests,
    receiveAll: async () => {
      const batches: Batch[] = [];
      for (const queue of QUEUES)
        for (
          let messages = await receive(queue);
          messages.length > 0;
          messages = await receive(queue)
        )
          batches.push({ queue, messages });
      return batches;
    },
    remove: async ({ queue, messages }) => {
      const Entries = messages.map(({ ReceiptHandle }, at) => ({ Id: String(at), ReceiptHandle }));
      await client.send(new DeleteMessageBatchCommand({ QueueUrl: place.queues[queue], Entries }));
      requests["sqs DeleteMessageBatch"]++;
    },
    close: () => client.destroy(),
  };
};
