/**
 * Which error an answer of an AWS service becomes: RetryLater, Bug, or the answer itself. A service
 * may do only a part of a batch.
 */
import { createServer } from "node:http";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { sendLeftovers } from "#lib/adapters/aws/leftovers.ts";
import { sqsQueue } from "#lib/adapters/aws/queue.ts";
import type { Spill } from "#lib/adapters/aws/spill.ts";
import { dynamoSyncPoints } from "#lib/adapters/aws/sync-points.ts";
import { openTable } from "#lib/adapters/aws/table.ts";
import { TABLES } from "#lib/adapters/aws/tables.ts";
import { Bug, RetryLater } from "#lib/errors.ts";
import { openCountedAws } from "#test/aws/usage.ts";
import { listen } from "./aws-emulators.ts";
import { aCheck, aPointKey } from "./records.ts";

const url = (name: string): string => `http://127.0.0.1/queue/${name}`;
const PLACE = {
  region: "us-east-1",
  bucket: "blobs",
  credentials: { accessKeyId: "test", secretAccessKey: "test" },
  tables: {
    stacks: "stacks",
    resources: "resources",
    syncPoints: "sync-points",
    events: "events",
    softwareConfigs: "configs",
    evidence: "evidence",
    fakeProvider: "fake-provider",
  },
  queues: { prepare: url("prepare"), check: url("check"), poll: url("poll") },
};

const answering = async (
  status: number,
  type: string,
  body = JSON.stringify({ __type: `com.amazonaws#${type}`, message: "no" }),
) => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked++;
    response.writeHead(status, { "content-type": "application/x-amz-json-1.0" });
    response.end(body);
  });
  const endpoint = await listen(server);
  const busy = openCountedAws({ ...PLACE, endpoint, attemptsMax: 2 });
  const close = (): void => {
    busy.close();
    server.close();
  };
  return { busy, close, asked: () => asked };
};

describe("a service that fails", () => {
  it.each([
    [400, "ThrottlingException"],
    [400, "ProvisionedThroughputExceededException"],
    [400, "RequestTimeout"],
    [500, "InternalServerError"],
  ])("with %i %s is tried again, then ends in RetryLater", async (status, type) => {
    const { busy, close, asked } = await answering(status, type);
    await expect(busy.store.getStack("t", "s")).rejects.toBeInstanceOf(RetryLater);
    expect(asked()).toBe(2);
    expect(busy.usage.read().requests).toEqual({ "dynamodb GetItem": 2 });
    close();
  });

  it("ends in RetryLater if it cannot be reached", async () => {
    const { busy, close } = await answering(200, "");
    close();
    const again = openCountedAws({ ...PLACE, endpoint: "http://127.0.0.1:9", attemptsMax: 1 });
    await expect(again.store.getStack("t", "s")).rejects.toBeInstanceOf(RetryLater);
    expect(busy.usage.read().requests).toEqual({});
    again.close();
  });

  it.each([
    [503, "<html>planted</html>"],
    [500, '<?xml version="1.0"?><Error><Code>InternalError</Code></Error>'],
    [429, ""],
  ])("with %i and a gateway's page ends in RetryLater", async (status, body) => {
    const { busy, close } = await answering(status, "", body);
    const ends = await Promise.allSettled([
      busy.store.getStack("t", "s"),
      busy.blobs.get("key"),
      busy.blobs.put("key", "text"),
      busy.queue.send("check", [aCheck("one")]),
    ]);
    for (const end of ends) expect(end).toHaveProperty("reason", expect.any(RetryLater));
    close();
  });

  it("is asked again when it has closed the connection, as during a freeze", async () => {
    let asked = 0;
    const server = createServer((request, response) => {
      asked += 1;
      if (asked === 2) request.socket.destroy();
      else response.end("{}");
    });
    const kept = openCountedAws({ ...PLACE, endpoint: await listen(server) });
    expect(await kept.store.getStack("t", "s")).toBeNull();
    expect(await kept.store.getStack("t", "s")).toBeNull();
    expect(asked).toBe(3);
    kept.close();
    server.close();
  });

  it("ends in RetryLater if its name is not found", async () => {
    const lost = openCountedAws({ ...PLACE, endpoint: "http://nowhere.invalid", attemptsMax: 1 });
    await expect(lost.store.getStack("t", "s")).rejects.toBeInstanceOf(RetryLater);
    lost.close();
  });

  it.each([
    "AccessDeniedException",
    "AccessDenied",
    "ExpiredTokenException",
    "UnrecognizedClientException",
  ])("with %s is a Bug whose text names no role", async (type) => {
    const { busy, close } = await answering(400, type);
    const error = await busy.store.getStack("t", "s").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Bug);
    expect(String(error)).toBe(`Bug: GetItemCommand: ${type}`);
    close();
  });

  it("ends in RetryLater if it never answers", async () => {
    const server = createServer(() => undefined);
    const endpoint = await listen(server);
    const silent = openCountedAws({ ...PLACE, endpoint, attemptsMax: 1, requestMsMax: 100 });
    await expect(silent.store.getStack("t", "s")).rejects.toBeInstanceOf(RetryLater);
    await expect(silent.blobs.get("key")).rejects.toBeInstanceOf(RetryLater);
    silent.close();
    server.closeAllConnections();
    server.close();
  });

  it("with status 403 to a HEAD, which has no error name, is a Bug", async () => {
    const { busy, close } = await answering(403, "ForbiddenByWhatever");
    const error = await busy.blobs.put("key", "text").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Bug);
    expect(String(error)).toBe("Bug: HeadObjectCommand: 403");
    close();
  });

  it("is not tried again after a client error", async () => {
    const { busy, close, asked } = await answering(400, "ValidationException");
    const error = await busy.store.getStack("t", "s").catch((thrown: unknown) => thrown);
    expect(error).not.toBeInstanceOf(RetryLater);
    expect(asked()).toBe(1);
    close();
  });
});

/** Records each pause with its longest possible length. */
const noted = () => {
  const pauses: number[] = [];
  const pause = async (ms: number): Promise<void> => void pauses.push(ms);
  return { pauses, backoff: { pause, random: { below: (limit: number) => limit - 1 } } };
};

type Requests = Readonly<Record<string, readonly object[]>>;

/** Like a busy DynamoDB, this one does only the first part of a batch. */
const busyBatches = () => {
  const client = new DynamoDBClient({ region: "us-east-1" });
  const asked: (readonly object[])[] = [];
  const { pauses, backoff } = noted();
  const shape = z.object({
    RequestItems: z.object({
      points: z.union([
        z.object({ Keys: z.array(z.looseObject({})), ConsistentRead: z.literal(true) }),
        z.array(z.looseObject({})),
      ]),
    }),
  });
  client.middlewareStack.add(
    () =>
      async ({ input }) => {
        const { points } = shape.parse(input).RequestItems;
        const all = Array.isArray(points) ? points : points.Keys;
        asked.push(all);
        const left = all.slice(1);
        const items: Requests = left.length > 0 ? { points: left } : {};
        const output = Array.isArray(points)
          ? { UnprocessedItems: items }
          : { Responses: { points: [] }, UnprocessedKeys: { points: { Keys: left } } };
        return { response: {}, output: { $metadata: {}, ...output } };
      },
    { step: "initialize" },
  );
  const spill: Spill = {
    store: async (_key, item) => item,
    fetch: async (item) => item,
    drop: async () => {},
  };
  const table = openTable(client, "points", TABLES.syncPoints, spill, backoff);
  return { table, store: dynamoSyncPoints(table), asked, pauses };
};

const keysOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ pk: { S: `p${at}` }, sk: { S: "#" } }));

describe("what a busy DynamoDB leaves of a batch", () => {
  it("of reads is named to the caller after a pause, who asks for it again", async () => {
    const { store, asked, pauses } = busyBatches();
    const keys = [aPointKey(), aPointKey({ bucket: "1.3" }), aPointKey({ isUpdate: false })];
    expect(await store.getSyncPoints(keys)).toEqual({ points: [], unread: keys.slice(1) });
    expect([asked.length, pauses]).toEqual([1, [400]]);
  });

  it("is sent again after pauses that double, and nothing else with it", async () => {
    for (const method of ["getAll", "deleteAll"] as const) {
      const { table, asked, pauses } = busyBatches();
      await table[method](keysOf(5));
      expect(
        asked.map(({ length }) => length),
        method,
      ).toEqual([5, 4, 3, 2, 1]);
      expect(pauses, method).toEqual([50, 100, 200, 400]);
    }
  });

  it("ends in RetryLater after five tries", async () => {
    for (const method of ["getAll", "deleteAll"] as const) {
      const { table, asked } = busyBatches();
      await expect(table[method](keysOf(6)), method).rejects.toBeInstanceOf(RetryLater);
      expect(asked.length).toBe(5);
    }
  });

  it("waits for a random part of each pause, so that workers do not come back together", async () => {
    const pauses: number[] = [];
    const pause = async (ms: number): Promise<void> => void pauses.push(ms);
    let left = 2;
    await sendLeftovers({ pause, random: { below: () => 0 } }, ["a"], "busy", async (open) =>
      left-- > 0 ? open : [],
    );
    expect(pauses).toEqual([1, 1]);
  });
});

describe("sending", () => {
  const urls = { prepare: "p", check: "c", poll: "l" };
  const losing = (times: number, senderFault: boolean) => {
    const sent: string[][] = [];
    const groups: string[] = [];
    const client = new SQSClient({ region: "us-east-1" });
    client.middlewareStack.add(
      () => async (args) => {
        const entries = "Entries" in args.input ? (args.input.Entries ?? []) : [];
        const ids = entries.map(({ Id = "" }) => Id);
        const lost = sent.length < times ? ids.slice(-1) : [];
        sent.push(ids);
        for (const entry of entries) {
          if ("MessageGroupId" in entry) groups.push(entry.MessageGroupId ?? "");
        }
        const Failed = lost.map((Id) => ({ Id, SenderFault: senderFault, Code: "Busy" }));
        return { response: {}, output: { $metadata: {}, Successful: [], Failed } };
      },
      { step: "initialize" },
    );
    const { pauses, backoff } = noted();
    return { queue: sqsQueue(client, urls, true, [], backoff), sent, groups, pauses };
  };
  const messages = ["a", "b", "c"].map(aCheck);

  it("sends again only the refused entries, after a pause", async () => {
    const { queue, sent, pauses } = losing(2, false);
    await queue.send("check", messages);
    expect(pauses).toEqual([50, 100]);
    expect(sent).toEqual([["0", "1", "2"], ["2"], ["2"]]);
  });

  it("groups by tenant, cut to SQS's limit", async () => {
    const { queue, groups } = losing(0, false);
    await queue.send("check", [aCheck("a"), { ...aCheck("b"), tenant: "p".repeat(255) }]);
    expect(groups).toEqual([aCheck("a").tenant, "p".repeat(128)]);
  });

  it("ends in RetryLater if SQS keeps refusing", async () => {
    const { queue } = losing(100, false);
    await expect(queue.send("check", messages)).rejects.toBeInstanceOf(RetryLater);
  });

  it("does not repeat an entry that is the sender's fault", async () => {
    const { queue, sent } = losing(1, true);
    await expect(queue.send("check", messages)).rejects.toThrow("refuses a message: Busy");
    expect(sent).toHaveLength(1);
  });
});
