import { createServer } from "node:http";
import { SFNClient, StartExecutionCommand } from "@aws-sdk/client-sfn";
import { expect, it } from "vitest";
import { clientOptions } from "#lib/adapters/aws/clients.ts";
import { listen } from "../../contract/aws-emulators.ts";

/** Below the time limit of the functions of streams, which is a minute. */
const ANSWER_MS_MAX = 30_000;

it("give a request up that is not answered, so that a batch of a stream can fail and come again", async () => {
  const { requestHandler } = clientOptions({ region: "us-east-1" });
  expect(requestHandler.requestTimeout).toBeLessThanOrEqual(ANSWER_MS_MAX);
  const server = createServer(() => undefined);
  const client = new SFNClient({
    ...clientOptions({ region: "us-east-1", endpoint: await listen(server) }),
    requestHandler: { ...requestHandler, requestTimeout: 50 },
    maxAttempts: 1,
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  });
  const start = new StartExecutionCommand({ stateMachineArn: "a" });
  await expect(client.send(start)).rejects.toThrow(/did not return a response|timeout/i);
  client.destroy();
  server.closeAllConnections();
  server.close();
});
