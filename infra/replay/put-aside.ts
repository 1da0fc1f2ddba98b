import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";

const RECEIVE_MAX = 10;
const WAIT_SECONDS = 1;
const HIDDEN_SECONDS = 3_600;

export interface PutAside {
  readonly id: string;
  readonly handle: string;
  readonly body: string;
  readonly source: string | null;
}

export interface PutAsideQueue {
  receive(countMax: number): Promise<readonly PutAside[]>;
  showAgain(message: PutAside): Promise<void>;
  remove(message: PutAside): Promise<void>;
}

const putAside = ({ MessageId, ReceiptHandle, Body, Attributes }: Message): PutAside => ({
  id: MessageId ?? "",
  handle: ReceiptHandle ?? "",
  body: Body ?? "",
  source: Attributes?.DeadLetterQueueSourceArn ?? null,
});

export const openPutAside = (sqs: SQSClient, QueueUrl: string): PutAsideQueue => ({
  receive: async (countMax) => {
    const found: PutAside[] = [];
    while (found.length < countMax) {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl,
          MaxNumberOfMessages: Math.min(RECEIVE_MAX, countMax - found.length),
          VisibilityTimeout: HIDDEN_SECONDS,
          WaitTimeSeconds: WAIT_SECONDS,
          MessageSystemAttributeNames: ["DeadLetterQueueSourceArn"],
        }),
      );
      if (Messages.length === 0) break;
      found.push(...Messages.map(putAside));
    }
    return found;
  },
  showAgain: async ({ handle: ReceiptHandle }) => {
    await sqs.send(
      new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }),
    );
  },
  remove: async ({ handle: ReceiptHandle }) => {
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  },
});
