/** What AWS's services may answer, and what becomes of it: a RetryLater, a Bug, or what it says. */
import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { Bug, RetryLater } from "#lib/errors.ts";
import { openCountedAws } from "#test/aws/usage.ts";
import { listen } from "./aws-emulators.ts";
import { aCheck } from "./records.ts";

const url = (name: string): string => `http://127.0.0.1/queue/${name}`;
/** Names alone: none of these services looks anything up. */
const PLACE = {
  ...{ region: "us-east-1", bucket: "blobs" },
  credentials: { accessKeyId: "test", secretAccessKey: "test" },
  tables: {
    ...{ stacks: "stacks", resources: "resources", syncPoints: "sync-points", events: "events" },
    ...{ softwareConfigs: "configs", evidence: "evidence", fakeProvider: "fake-provider" },
  },
  queues: { prepare: url("prepare"), check: url("check"), poll: url("poll") },
};

/** A service that gives the same answer to everything. */
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

describe("a service that is busy or broken", () => {
  it.each([
    [400, "ThrottlingException"],
    [400, "ProvisionedThroughputExceededException"],
    [400, "RequestTimeout"],
    [500, "InternalServerError"],
  ])("answers %i %s, is asked again, and then put off", async (status, type) => {
    const { busy, close, asked } = await answering(status, type);
    await expect(busy.store.getStack("t", "s")).rejects.toBeInstanceOf(RetryLater);
    expect(asked()).toBe(2);
    expect(busy.usage.read().requests).toEqual({ "dynamodb GetItem": 2 });
    close();
  });

  it("is put off when it cannot be reached", async () => {
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
  ])(
    "that answers %i with a page of its gateway's is put off like any other",
    async (status, body) => {
      const { busy, close } = await answering(status, "", body);
      const ends = await Promise.allSettled([
        busy.store.getStack("t", "s"),
        busy.blobs.get("key"),
        busy.blobs.put("key", "text"),
        busy.queue.send("check", [aCheck("one")]),
      ]);
      for (const end of ends) expect(end).toHaveProperty("reason", expect.any(RetryLater));
      close();
    },
  );

  it("is put off when its name is not found", async () => {
    const lost = openCountedAws({ ...PLACE, endpoint: "http://nowhere.invalid", attemptsMax: 1 });
    await expect(lost.store.getStack("t", "s")).rejects.toBeInstanceOf(RetryLater);
    lost.close();
  });

  it.each([
    "AccessDeniedException",
    "AccessDenied",
    "ExpiredTokenException",
    "UnrecognizedClientException",
  ])(
    "that answers %s has somebody look at the deployment, and tells no tenant of its roles",
    async (type) => {
      const { busy, close } = await answering(400, type);
      const error = await busy.store.getStack("t", "s").catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Bug);
      expect(String(error)).toBe(`Bug: GetItemCommand: ${type}`);
      close();
    },
  );

  it("is put off when it takes a request and never answers", async () => {
    const server = createServer(() => undefined);
    const endpoint = await listen(server);
    const silent = openCountedAws({ ...PLACE, endpoint, attemptsMax: 1, requestMsMax: 100 });
    await expect(silent.store.getStack("t", "s")).rejects.toBeInstanceOf(RetryLater);
    await expect(silent.blobs.get("key")).rejects.toBeInstanceOf(RetryLater);
    silent.close();
    server.closeAllConnections();
    server.close();
  });

  it("and lacks a right of S3 is found out by the status alone: a HEAD has no body to name an error", async () => {
    const { busy, close } = await answering(403, "ForbiddenByWhatever");
    const error = await busy.blobs.put("key", "text").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Bug);
    expect(String(error)).toBe("Bug: HeadObjectCommand: 403");
    close();
  });

  it("is not asked again for what it says is wrong", async () => {
    const { busy, close, asked } = await answering(400, "ValidationException");
    const error = await busy.store.getStack("t", "s").catch((thrown: unknown) => thrown);
    expect(error).not.toBeInstanceOf(RetryLater);
    expect(asked()).toBe(1);
    close();
  });
});
