import type { DynamoDBStreamsClient } from "@aws-sdk/client-dynamodb-streams";
import { InvokeCommand, type LambdaClient } from "@aws-sdk/client-lambda";
import * as z from "zod";
import type { PutAsideQueue } from "./put-aside.ts";
import { inOrder, readSetAside, recordsOf, type SetAside } from "./stream-records.ts";

interface Clients {
  readonly streams: DynamoDBStreamsClient;
  readonly lambda: LambdaClient;
}

type Played = "played" | "there" | "failed" | "lost" | "unplayed";

const playOne = async (clients: Clients, batch: SetAside, isReal: boolean) => {
  const records = await recordsOf(clients.streams, batch);
  if (records === null) return { outcome: "lost", count: 1 } as const;
  const count = records.length;
  if (!isReal) return { outcome: "there", count } as const;
  const failure = await playAgain(clients.lambda, batch, records);
  if (failure === null) return { outcome: "played", count } as const;
  console.log(`${batch.functionArn} at ${batch.first}: ${failure}`);
  return { outcome: "failed", count } as const;
};

const playOrSay = async (clients: Clients, batch: SetAside, isReal: boolean) => {
  try {
    return await playOne(clients, batch, isReal);
  } catch (error) {
    const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    console.log(`${batch.functionArn} at ${batch.first}: not played: ${why}`);
    return { outcome: "unplayed", count: 1 } as const;
  }
};

const lostText = (lost: number): string =>
  `${lost} of the messages name records older than a day, which no stream keeps. Their events are lost. Stacks are not: the sweeper keeps their deadlines.`;

interface Plan {
  readonly tables: readonly string[];
  readonly max: number;
  readonly go: boolean;
}

/**
 * A message is removed only after all of its records were played.
 * @returns false if something failed, is lost or belongs to another stage
 */
export const replayRecords = async (
  clients: Clients,
  queue: PutAsideQueue,
  { tables, max, go }: Plan,
): Promise<boolean> => {
  const messages = await queue.receive(max);
  const batches: SetAside[] = [];
  let foreign = 0;
  for (const message of messages) {
    const read = readSetAside(message, tables);
    if (typeof read !== "string") {
      batches.push(read);
      continue;
    }
    foreign += 1;
    console.log(`stream failures: message ${message.id} stays: ${read}`);
    await queue.showAgain(message);
  }
  const counts: Record<Played, number> = { played: 0, there: 0, failed: 0, lost: 0, unplayed: 0 };
  for (const batch of batches.sort(inOrder)) {
    const { outcome, count } = await playOrSay(clients, batch, go);
    counts[outcome] += count;
    if (outcome === "played") await queue.remove(batch.message);
    else await queue.showAgain(batch.message);
  }
  const { played, there, failed, lost, unplayed } = counts;
  const done = go ? `${played} records played, ${failed} failed again` : `${there} records to play`;
  console.log(`stream failures: ${messages.length} messages, ${done}`);
  if (lost > 0) console.log(lostText(lost));
  return failed + lost + unplayed + foreign === 0;
};

const CALL_BYTES_MAX = 4 * 1024 * 1024;

const answerShape = z.object({ batchItemFailures: z.array(z.unknown()) });

const inCalls = (records: readonly object[]): readonly (readonly object[])[] => {
  const calls: object[][] = [];
  let room = 0;
  for (const record of records) {
    const bytes = JSON.stringify(record).length;
    if (bytes > room) {
      calls.push([]);
      room = CALL_BYTES_MAX;
    }
    calls.at(-1)?.push(record);
    room -= bytes;
  }
  return calls;
};

/**
 * Both functions accept a record twice.
 * @returns why the call failed, or null if it succeeded
 */
const playAgain = async (
  lambda: LambdaClient,
  { functionArn }: SetAside,
  records: readonly object[],
): Promise<string | null> => {
  for (const Records of inCalls(records)) {
    const { FunctionError, Payload } = await lambda.send(
      new InvokeCommand({ FunctionName: functionArn, Payload: JSON.stringify({ Records }) }),
    );
    const text = Payload?.transformToString() ?? "";
    if (FunctionError !== undefined) return text;
    const { batchItemFailures } = answerShape.parse(JSON.parse(text));
    if (batchItemFailures.length > 0) return "records failed again; the function's log says why";
  }
  return null;
};
