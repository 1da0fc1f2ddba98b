import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, it } from "vitest";
import { openClients } from "#lib/adapters/aws/clients.ts";
import { openThrottle } from "#lib/adapters/aws/throttle.ts";
import { RetryLater } from "#lib/errors.ts";
import { limitMs } from "./limits.ts";
import { ownTarget } from "./own-target.ts";

const target = ownTarget();

describe("the counts of requests on AWS", () => {
  it("are one small item a tenant and window, which expires an hour after it is needed", async () => {
    const { connection, place } = target();
    const patient = { attemptsMax: 1, requestMsMax: limitMs(10_000) };
    const throttle = openThrottle({ ...connection, ...patient }, place.throttle);
    for (const _ of [1, 2, 3]) await throttle.count("demo", 20_000, 90_001);
    await throttle.count("demo", 30_000, 100_000);
    throttle.close();
    const { dynamo, close } = openClients(connection);
    const { Items = [] } = await dynamo.send(new ScanCommand({ TableName: place.throttle }));
    close();
    const found = Items.toSorted((a, b) => (a["pk"]?.S ?? "").localeCompare(b["pk"]?.S ?? ""));
    expect(found).toEqual([
      { pk: { S: "20000#demo" }, requests: { N: "3" }, ttl: { N: "3691" } },
      { pk: { S: "30000#demo" }, requests: { N: "1" }, ttl: { N: "3700" } },
    ]);
  });

  it("fail after few tries if DynamoDB is away, so that a request can go on without", async () => {
    const { connection } = target();
    const nobody = { ...connection, endpoint: "http://127.0.0.1:9" };
    const throttle = openThrottle(nobody, "nothing");
    await expect(throttle.count("demo", 0, 1)).rejects.toThrow(RetryLater);
    throttle.close();
  });
});
