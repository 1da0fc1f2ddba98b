import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import * as z from "zod";
import { replay } from "../../infra/replay.ts";
import { listen } from "./aws-emulators.ts";
import { freshFolder, removeFolder } from "./folders.ts";
import { aCheck } from "./records.ts";

const STREAM = "arn:aws:dynamodb:us-east-1:111122223333:table/Stacks/stream/1";
const FUNCTION = "arn:aws:lambda:us-east-1:111122223333:function:events:live";

/** A batch as Lambda sets it aside. */
const setAside = (first: number, last: number) => ({
  requestContext: { functionArn: FUNCTION, condition: "RetryAttemptsExhausted" },
  DDBStreamBatchInfo: {
    streamArn: STREAM,
    shardId: "shardId-1",
    startSequenceNumber: `${first}00000000000000000000`,
    endSequenceNumber: `${last}00000000000000000000`,
  },
});

const LETTER = aCheck("row");

const recordAt = (at: number) => ({
  eventID: String(at),
  eventName: "INSERT",
  dynamodb: {
    ApproximateCreationDateTime: 1_796_000_000,
    Keys: { pk: { S: "T#demo" } },
    ...(paddingBytes > 0 && { OldImage: { large: { S: "x".repeat(paddingBytes) } } }),
    NewImage: { properties: { M: { t: { S: "x" }, s: { B: "AQID" } } }, ids: { L: [{ N: "1" }] } },
    SequenceNumber: `${at}00000000000000000000`,
  },
});

let queue = new Map<string, object | string>();
let givenUp = new Map<string, object>();
/** The ARN of the queue that has given a message up, by its handle. */
let sources: Readonly<Record<string, string>> = {};
let hidden: string[] = [];
let moved: unknown[] = [];
let calls: unknown[] = [];
let answer: object = { batchItemFailures: [] };
let paddingBytes = 0;
let trimmedBefore = 0;

const bodyShape = z.object({
  ReceiptHandle: z.string().optional(),
  SequenceNumber: z.string().optional(),
  ShardIterator: z.string().optional(),
  QueueUrl: z.string().default(""),
  MessageBody: z.string().optional(),
  MaxNumberOfMessages: z.number().optional(),
});
type Body = z.infer<typeof bodyShape>;

const pageFrom = (first: number) => ({
  Records: [first, first + 1].map(recordAt),
  NextShardIterator: String(first + 2),
});

const ACTIONS: Readonly<Record<string, (body: Body) => object | null>> = {
  "AmazonSQS.ReceiveMessage": ({ QueueUrl, MaxNumberOfMessages }) => ({
    Messages: [...(QueueUrl.endsWith("given-up") ? givenUp : queue)]
      .filter(([handle]) => !hidden.includes(handle))
      .slice(0, MaxNumberOfMessages)
      .map(([handle, body]) => {
        hidden.push(handle);
        const Body = typeof body === "string" ? body : JSON.stringify(body);
        const DeadLetterQueueSourceArn = sources[handle];
        return {
          MessageId: handle,
          ReceiptHandle: handle,
          Body,
          MD5OfBody: createHash("md5").update(Body).digest("hex"),
          ...(DeadLetterQueueSourceArn && { Attributes: { DeadLetterQueueSourceArn } }),
        };
      }),
  }),
  "AmazonSQS.DeleteMessage": ({ ReceiptHandle = "" }) => {
    queue.delete(ReceiptHandle);
    givenUp.delete(ReceiptHandle);
    return {};
  },
  "AmazonSQS.ChangeMessageVisibility": ({ ReceiptHandle }) => {
    hidden = hidden.filter((handle) => handle !== ReceiptHandle);
    return {};
  },
  "AmazonSQS.SendMessage": ({ QueueUrl, MessageBody = "" }) => {
    if (QueueUrl.endsWith("gone")) return null;
    moved.push([QueueUrl.slice(QueueUrl.lastIndexOf("/") + 1), JSON.parse(MessageBody)]);
    return { MD5OfMessageBody: createHash("md5").update(MessageBody).digest("hex") };
  },
  "DynamoDBStreams_20120810.GetShardIterator": ({ SequenceNumber = "" }) => {
    const at = Number(SequenceNumber.slice(0, 1));
    return at < trimmedBefore ? null : { ShardIterator: String(at) };
  },
  "DynamoDBStreams_20120810.GetRecords": ({ ShardIterator }) => pageFrom(Number(ShardIterator)),
};

const answerTo = async (request: IncomingMessage): Promise<object | null> => {
  const body: unknown = JSON.parse(await text(request));
  const target = request.headers["x-amz-target"];
  if (typeof target === "string") return ACTIONS[target]?.(bodyShape.parse(body)) ?? null;
  if (request.url?.includes("gone")) return null;
  calls.push(decodeURIComponent(request.url ?? ""), body);
  return answer;
};

const server = createServer((request, response) => {
  void answerTo(request).then((found) => {
    response.writeHead(found === null ? 400 : 200);
    response.end(JSON.stringify(found ?? { __type: "TrimmedDataAccessException" }));
  });
});
let endpoint = "";
const folder = freshFolder();
const from = join(folder, "outputs.json");
const said: string[] = [];

beforeAll(async () => {
  endpoint = await listen(server);
  const others = { softwareConfigs: "C", events: "E", apiTokens: "T" };
  const tables = { ...others, resources: "Resources", stacks: "Stacks" };
  const outputs = {
    Tables: tables,
    BlobsBucket: "b",
    SigningSecretArn: "s",
    EncryptionSecretArn: "e",
    GivenUpQueueUrl: `${endpoint}/1/given-up`,
    StreamFailuresQueueUrl: `${endpoint}/1/failures`,
  };
  writeFileSync(from, JSON.stringify({ "Hearth-dev": outputs }));
});
beforeEach(() => {
  [hidden, moved, calls, answer, trimmedBefore] = [[], [], [], { batchItemFailures: [] }, 0];
  paddingBytes = 0;
  queue = new Map([
    ["later", setAside(5, 5)],
    ["earlier", setAside(1, 3)],
  ]);
  givenUp = new Map([["letter", LETTER]]);
  sources = { letter: "arn:aws:sqs:us-east-1:1:check-letters" };
  const keys = { AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test" };
  const place = { AWS_REGION: "us-east-1", AWS_ENDPOINT_URL: endpoint };
  for (const [name, value] of Object.entries({ ...keys, ...place })) vi.stubEnv(name, value);
  said.length = 0;
  vi.spyOn(console, "log").mockImplementation((line: string) => void said.push(line));
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
afterAll(() => {
  server.close();
  removeFolder(folder);
});

it("rehearses: it counts the records that are still there, and leaves the queues as they are", async () => {
  expect(await replay(["--from", from])).toBe(0);
  expect(said).toEqual([
    "stream failures: 2 messages, 4 records to play",
    "given up: 1 messages, 1 to move",
    "This was a rehearsal, and nothing has changed. Add --go.",
  ]);
  expect([calls, moved, queue.size, hidden]).toEqual([[], [], 2, []]);
});

it("calls the function with the records of each batch in their order, as Lambda does", async () => {
  expect(await replay(["--from", from, "--go"])).toBe(0);
  const event = (...at: readonly number[]) => ({
    Records: at.map((one) => ({ ...recordAt(one), eventSourceARN: STREAM })),
  });
  const url = `/2015-03-31/functions/${FUNCTION}/invocations`;
  expect(calls).toEqual([url, event(1, 2, 3), url, event(5)]);
  expect(moved).toEqual([["check-letters", LETTER]]);
  expect(givenUp.size).toBe(0);
  expect([queue.size, said[0]]).toEqual([
    0,
    "stream failures: 2 messages, 4 records played, 0 failed again",
  ]);
});

it("makes several calls of records that one call could not carry", async () => {
  paddingBytes = 1_500_000;
  queue.delete("later");
  expect(await replay(["--from", from, "--go"])).toBe(0);
  const bodies = calls.filter((call) => typeof call === "object");
  expect(bodies.map((body) => JSON.stringify(body).length < 6_000_000)).toEqual([true, true]);
});

it("keeps what fails again, and plays no more messages than it is told", async () => {
  answer = { batchItemFailures: [{ itemIdentifier: "1" }] };
  expect(await replay(["--from", from, "--go", "--max", "1"])).toBe(1);
  expect([queue.size, calls.length]).toEqual([2, 2]);
  expect(hidden).toEqual(["letter"]);
});

it("keeps and counts what the stream does not have any more", async () => {
  trimmedBefore = 4;
  expect(await replay(["--from", from, "--go"])).toBe(1);
  expect([[...queue.keys()], said[0]]).toEqual([
    ["earlier"],
    "stream failures: 2 messages, 1 records played, 0 failed again",
  ]);
  expect(said[1]).toMatch(/^1 of the messages name records older than a day/);
});

it("says which messages are not the stage's, leaves them where they are, and plays the others", async () => {
  const foreign = setAside(2, 2);
  const elsewhere = foreign.DDBStreamBatchInfo.streamArn.replace("Stacks", "Orders");
  queue.set("unreadable", "<xml>");
  queue.set("another kind", { Records: [] });
  queue.set("another table", {
    ...foreign,
    DDBStreamBatchInfo: { ...foreign.DDBStreamBatchInfo, streamArn: elsewhere },
  });
  givenUp.set("another message", { type: "order" });
  givenUp.set("sent by hand", LETTER);
  givenUp.set("of a queue that is gone", LETTER);
  const letters = sources["letter"] ?? "";
  sources = {
    ...sources,
    "another message": letters,
    "of a queue that is gone": "arn:aws:sqs:us-east-1:1:gone",
  };
  expect(await replay(["--from", from, "--go"])).toBe(1);
  expect(said).toEqual([
    "stream failures: message unreadable stays: it does not say which records of a stream failed",
    "stream failures: message another kind stays: it does not say which records of a stream failed",
    `stream failures: message another table stays: ${elsewhere} is not of this stage`,
    "stream failures: 5 messages, 4 records played, 0 failed again",
    "given up: message another message stays: no version of Hearth can read it",
    "given up: message sent by hand stays: no queue has given it up, so there is none to go back to",
    expect.stringMatching(/^given up: message of a queue that is gone stays: \w+/),
    "given up: 4 messages, 1 went back to the dead letters",
  ]);
  expect([...queue.keys()]).toEqual(["unreadable", "another kind", "another table"]);
  expect([...givenUp.keys()].length).toBe(3);
  expect(hidden.filter((handle) => queue.has(handle) || givenUp.has(handle))).toEqual([]);
});

it("goes on with the others if a function cannot be called, and keeps that message", async () => {
  const { DDBStreamBatchInfo } = setAside(1, 3);
  queue.set("earlier", { requestContext: { functionArn: "gone" }, DDBStreamBatchInfo });
  expect(await replay(["--from", from, "--go"])).toBe(1);
  expect(said.slice(0, 2)).toEqual([
    expect.stringMatching(/^gone at 10+: not played: \w+/),
    "stream failures: 2 messages, 1 records played, 0 failed again",
  ]);
  expect([...queue.keys()]).toEqual(["earlier"]);
});

it("refuses a wrong command line with the reason", async () => {
  const errors = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  for (const [args, reason] of [
    [[], "--from is missing"],
    [["--from", from, "--max", "0"], "--max: at least 1"],
    [["--form", from], "Unknown option '--form'"],
  ] as const) {
    expect(await replay([...args])).toBe(2);
    expect(errors).toHaveBeenLastCalledWith(expect.stringContaining(`ERROR: ${reason}`));
  }
});
