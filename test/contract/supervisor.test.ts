/** The supervisor's task over HTTP, on services that refuse. */
import { createServer } from "node:http";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openEnder } from "#functions/aws/step-functions.ts";
import { RetryLater } from "#lib/errors.ts";
import { listen } from "./aws-emulators.ts";

beforeEach(() => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
  vi.stubEnv("AWS_MAX_ATTEMPTS", "1");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const refusing = async (type: string) => {
  const server = createServer((_, response) => {
    response.writeHead(400, { "content-type": "application/x-amz-json-1.0" });
    response.end(JSON.stringify({ __type: `com.amazonaws#${type}`, message: "no" }));
  });
  const endpoint = await listen(server);
  const ender = openEnder({ region: "us-east-1", endpoint }, "executions", { now: () => 0 });
  return { ender, close: () => server.close() };
};

it("a busy service ends in RetryLater, which the state machine retries", async () => {
  const { ender, close } = await refusing("ThrottlingException");
  await expect(ender.putToken("traversal", "token")).rejects.toBeInstanceOf(RetryLater);
  await expect(ender.end("token", "COMPLETE")).rejects.toBeInstanceOf(RetryLater);
  close();
});

it("ending an ended task has no effect", async () => {
  const { ender, close } = await refusing("TaskTimedOut");
  await expect(ender.end("token", "COMPLETE")).resolves.toBeUndefined();
  close();
});
