/**
 * An SQS queue for the contract. It receives the messages that are due. For delayed messages it
 * reads the requests.
 */
import { randomUUID } from "node:crypto";
import {
  CreateQueueCommand,
  DeleteQueueCommand,
  ReceiveMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import * as z from "zod";
import type { AwsConnection } from "#lib/adapters/aws/clients.ts";
import { sqsQueue } from "#lib/adapters/aws/queue.ts";
import { present } from "#lib/errors.ts";
import type { QueueName } from "#lib/ports/queue.ts";
import type { Opened } from "./opened.ts";
import type { ObservedQueue, SentMessage } from "./queue.contract.ts";

const batch = z.object({
  QueueUrl: z.string(),
  Entries: z.array(z.object({ MessageBody: z.string(), DelaySeconds: z.number() })),
});

const RECEIVES_MAX = 20;
const WAIT_SECONDS = 1;
const NOW = 0;

export const openObservedSqs = async (
  connection: AwsConnection,
): Promise<Opened<ObservedQueue>> => {
  const { endpoint, meter, ...options } = connection;
  const client = new SQSClient({
    ...options,
    ...(endpoint && { endpoint: typeof endpoint === "string" ? endpoint : endpoint.sqs }),
  });
  if (meter !== undefined) client.middlewareStack.use(meter.counting("sqs"));
  const create = async (name: QueueName): Promise<string> => {
    const QueueName = `hearth-test-${name}-${randomUUID()}`;
    const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName }));
    return present(QueueUrl, `the address of ${QueueName}`);
  };
  const urls = {
    prepare: await create("prepare"),
    check: await create("check"),
    poll: await create("poll"),
  };
  const requests: z.infer<typeof batch>[] = [];
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const result = await next(args);
      if (context.commandName === "SendMessageBatchCommand") requests.push(batch.parse(args.input));
      return result;
    },
    { step: "initialize" },
  );

  const received = async (url: string, count: number): Promise<readonly SentMessage[]> => {
    const messages: SentMessage[] = [];
    for (let receives = 0; messages.length < count && receives < RECEIVES_MAX; receives++) {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({
          QueueUrl: url,
          MaxNumberOfMessages: 10,
          WaitTimeSeconds: WAIT_SECONDS,
        }),
      );
      for (const { Body } of Messages)
        messages.push({ message: JSON.parse(Body ?? ""), deliverAt: NOW });
    }
    return messages;
  };
  const sent = async (name: QueueName): Promise<readonly SentMessage[]> => {
    const url = urls[name];
    const entries = requests
      .filter(({ QueueUrl }) => QueueUrl === url)
      .flatMap(({ Entries }) => Entries);
    const delayed = entries
      .filter(({ DelaySeconds }) => DelaySeconds > 0)
      .map(({ MessageBody, DelaySeconds }) => ({
        message: JSON.parse(MessageBody),
        deliverAt: NOW + DelaySeconds * 1_000,
      }));
    return [...(await received(url, entries.length - delayed.length)), ...delayed];
  };
  const close = async (): Promise<void> => {
    for (const QueueUrl of Object.values(urls))
      await client.send(new DeleteQueueCommand({ QueueUrl }));
    client.destroy();
  };
  return { port: { queue: sqsQueue(client, urls, false), now: () => NOW, sent }, close };
};
