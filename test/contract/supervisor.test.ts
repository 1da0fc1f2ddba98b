import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SFNClient } from "@aws-sdk/client-sfn";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { rotatingSecret } from "#functions/aws/rotating-secret.ts";
import { openEnder, starter } from "#functions/aws/step-functions.ts";
import { RetryLater } from "#lib/errors.ts";
import { ruling } from "#test/aws/rules/ruled-requests.ts";
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

const ANSWER = JSON.stringify({ VersionId: "v1", SecretString: "key", VersionIdsToStages: {} });

it("and the rotation of a secret send only what AWS's own models allow", async () => {
  const server = createServer((_, response) => void response.end(ANSWER));
  const options = { region: "us-east-1", endpoint: await listen(server) };
  const sfn = new SFNClient(options);
  const dynamo = new DynamoDBClient(options);
  const secrets = new SecretsManagerClient(options);
  sfn.middlewareStack.use(ruling("stepfunctions"));
  dynamo.middlewareStack.use(ruling("dynamodb"));
  secrets.middlewareStack.use(ruling("secretsmanager"));
  const supervisor = starter(
    sfn,
    dynamo,
    "arn:aws:states:us-east-1:1:stateMachine:a",
    "executions",
  );
  const [stackId, traversalId, versionId] = [randomUUID(), randomUUID(), randomUUID()];
  await supervisor.start({ tenant: "demo", stackId, traversalId, timeoutSeconds: 1 });
  await supervisor.end("token", "COMPLETE");
  expect(await supervisor.getToken(traversalId)).toBeNull();
  const secret = rotatingSecret(secrets);
  await secret.createPending("signing", versionId);
  await secret.makeCurrent("signing", versionId);
  for (const client of [sfn, dynamo, secrets]) client.destroy();
  server.close();
});
