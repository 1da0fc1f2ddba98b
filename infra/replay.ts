/**
 * `hearth aws replay --from FILE [--max N] [--go]` replays what was set aside in an outage: stream
 * records, and messages that were given up. Without --go it only reports them. FILE is the outputs
 * file of `cdk deploy --outputs-file`. Exit codes: 0 done, 1 something failed again, is lost or
 * belongs to another stage, 2 bad usage.
 */
import { parseArgs } from "node:util";
import { DynamoDBStreamsClient } from "@aws-sdk/client-dynamodb-streams";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import * as z from "zod";
import { parseMessage } from "#lib/convergence/messages.ts";
import { openPutAside, type PutAside, type PutAsideQueue } from "./replay/put-aside.ts";
import { replayRecords } from "./replay/stream-failures.ts";
import { readOutputs, type StageOutputs } from "./restore/stage-outputs.ts";
import { run } from "./usage.ts";

const EXIT_FAILED = 1;
const MESSAGES_MAX = 10_000;

const USAGE = `hearth aws replay --from FILE [--max N] [--go]
`;

const usageSchema = z.object({
  from: z.string("--from is missing: the outputs of the stage"),
  max: z.coerce
    .number()
    .int("--max: a whole number is expected")
    .min(1, "--max: at least 1")
    .max(MESSAGES_MAX, `--max: at most ${MESSAGES_MAX}`)
    .default(MESSAGES_MAX),
  go: z.boolean().default(false),
});
type Usage = z.infer<typeof usageSchema>;

const queuesOf = ({ StreamFailuresQueueUrl, GivenUpQueueUrl }: StageOutputs) => {
  if (StreamFailuresQueueUrl === undefined || GivenUpQueueUrl === undefined) {
    throw new Error("the outputs lack StreamFailuresQueueUrl or GivenUpQueueUrl");
  }
  return { failures: StreamFailuresQueueUrl, givenUp: GivenUpQueueUrl };
};

const play = async ({ from, max, go }: Usage): Promise<number> => {
  const outputs = readOutputs(from);
  const { failures, givenUp } = queuesOf(outputs);
  const sqs = new SQSClient({ useQueueUrlAsEndpoint: true });
  const clients = { streams: new DynamoDBStreamsClient({}), lambda: new LambdaClient({}) };
  const tables = Object.values(outputs.Tables);
  const areWhole = [
    await replayRecords(clients, openPutAside(sqs, failures), { tables, max, go }),
    await moveGivenUp(sqs, openPutAside(sqs, givenUp), givenUp, { max, go }),
  ];
  if (!go) console.log("This was a rehearsal, and nothing has changed. Add --go.");
  return areWhole.every((isWhole) => isWhole) ? 0 : EXIT_FAILED;
};

const OPTIONS = {
  from: { type: "string" },
  max: { type: "string" },
  go: { type: "boolean" },
} as const;

export const replay = (args: string[]): Promise<number> => {
  const given = (): unknown => parseArgs({ args, options: OPTIONS }).values;
  return run({ help: USAGE, schema: usageSchema, given, play });
};

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
