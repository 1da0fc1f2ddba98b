/**
 * What AWS services may answer, and which error it becomes: RetryLater, Bug, or the answer itself.
 */
import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { Bug, RetryLater } from "#lib/errors.ts";
import { openCountedAws } from "#test/aws/usage.ts";
import { listen } from "./aws-emulators.ts";
import { aCheck } from "./records.ts";

const url = (name: string): string => `http://127.0.0.1/queue/${name}`;
/** Names only: none of these services reads them. */
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

/** A service that gives the same answer to every request. */
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
