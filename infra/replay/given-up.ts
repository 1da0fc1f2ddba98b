import { SendMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { parseMessage } from "#lib/convergence/messages.ts";
import type { PutAside, PutAsideQueue } from "./put-aside.ts";

const isOurs = (body: string): boolean => {
  try {
    parseMessage(body);
    return true;
  } catch {
    return false;
  }
};

const urlBeside = (queueUrl: string, arn: string): string =>
  queueUrl.slice(0, queueUrl.lastIndexOf("/") + 1) + arn.slice(arn.lastIndexOf(":") + 1);

const refusal = ({ body, source }: PutAside): string | null => {
  if (source === null) return "no queue has given it up, so there is none to go back to";
  return isOurs(body) ? null : "no version of Hearth can read it";
};

const giveBack = async (
  sqs: SQSClient,
  queue: PutAsideQueue,
  QueueUrl: string,
  message: PutAside,
): Promise<string | null> => {
  try {
    // If the second call fails, the message is delivered twice, which does no harm.
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: message.body }));
    await queue.remove(message);
    return null;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
};

export const moveGivenUp = async (
  sqs: SQSClient,
  queue: PutAsideQueue,
  queueUrl: string,
  { max, go }: { readonly max: number; readonly go: boolean },
): Promise<boolean> => {
  const messages = await queue.receive(max);
  let moved = 0;
  for (const message of messages) {
    const target = urlBeside(queueUrl, message.source ?? "");
    const why = refusal(message) ?? (go ? await giveBack(sqs, queue, target, message) : null);
    if (why === null) moved += 1;
    else console.log(`given up: message ${message.id} stays: ${why}`);
    if (!(go && why === null)) await queue.showAgain(message);
  }
  const done = go ? "went back to the dead letters" : "to move";
  console.log(`given up: ${messages.length} messages, ${moved} ${done}`);
  return moved === messages.length;
};
