import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import middy from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { describe, expect, it } from "vitest";
import { handler as apiHandler } from "#functions/api/handler.ts";
import { ANSWER_BYTES_MAX, answerLimit } from "#functions/middleware/answer-limit.ts";
import { lambdaContext, proxyEvent } from "#host/lambda-events.ts";
import { createStack, openWorld, SETTINGS } from "../api/api-world.ts";

const CONTEXT = lambdaContext("api", 29_000);

const asking = (path: string, headers: Readonly<Record<string, string>>, search = "") =>
  proxyEvent({
    method: "GET",
    path,
    headers,
    pathParameters: {},
    body: null,
    search: new URLSearchParams(search),
  });

const GZIP = { accept: "*/*", "accept-encoding": "gzip, deflate" };

const answering = (body: string, headers: Readonly<Record<string, string>> = {}) =>
  middy<APIGatewayProxyEvent, APIGatewayProxyResult>(async () => ({
    statusCode: 200,
    headers: { ETag: "e" },
    body,
  })).use(answerLimit())(asking("/", headers), CONTEXT);

describe("the limit of Lambda's answers", () => {
  it.each([
    ["small", "{}"],
    ["large", "x".repeat(ANSWER_BYTES_MAX - 1_000)],
    ["full of quotes", '"'.repeat(ANSWER_BYTES_MAX / 2 - 1_000)],
  ])("accepts an answer that is %s", async (_, body) => {
    expect(await answering(body)).toMatchObject({ statusCode: 200, body });
  });

  it.each([
    ["large", "x".repeat(ANSWER_BYTES_MAX)],
    ["full of quotes", '"'.repeat(ANSWER_BYTES_MAX / 2)],
    ["far from ASCII", "\u{1f525}".repeat(ANSWER_BYTES_MAX / 4)],
  ])("refuses with a text one that is too %s", async (_, body) => {
    const answer = await answering(body);
    expect(answer.statusCode).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { type: "RequestLimitExceeded" } });
  });

  it.each([
    ["gzip, deflate, br", true],
    ["br;q=1, GZIP;q=0.5", true],
    ["gzip;q=0", false],
    ["gzip;q=0.000, identity", false],
    ["deflate", false],
    ["", false],
  ])(
    "compresses a large answer only for a client that accepts gzip: %j",
    async (codings, takes) => {
      const body = "x".repeat(2 * ANSWER_BYTES_MAX);
      const answer = await answering(body, {
        Accept: "application/json",
        "Accept-Encoding": codings,
      });
      expect(answer.statusCode).toBe(takes ? 200 : 400);
      if (!takes) return;
      expect(answer.headers).toEqual({
        ETag: "e",
        "Content-Encoding": "gzip",
        Vary: "Accept-Encoding",
      });
      expect(answer.isBase64Encoded).toBe(true);
      expect(gunzipSync(Buffer.from(answer.body, "base64")).toString("utf8") === body).toBe(true);
    },
  );

  it("refuses an answer too large even compressed, and compresses none without an Accept header", async () => {
    const noise = randomBytes(ANSWER_BYTES_MAX).toString("base64");
    expect((await answering(noise, GZIP)).statusCode).toBe(400);
    const large = "x".repeat(2 * ANSWER_BYTES_MAX);
    expect((await answering(large, { "accept-encoding": "gzip" })).statusCode).toBe(400);
  });

  it("accepts the events of a large stack page by page, and all at once only compressed", async () => {
    const world = openWorld();
    const path = await createStack(world, "app", {
      template: { heat_template_version: "2016-10-14" },
    });
    await world.settle();
    const [stack] = await world.store.listStacks("demo");
    const events = Array.from({ length: 10_000 }, (__, at) => ({
      id: `event-${at}`,
      tenant: "demo",
      stackId: stack?.id ?? "",
      time: at,
      resourceName: `resource-${at}`,
      resourceType: "OS::Heat::None",
      reason: "state changed",
      physicalResourceId: "",
      resourceAction: "CREATE",
      resourceStatus: "COMPLETE" as const,
      change: { recordId: `row-${at}`, version: 1, traversalNumber: 1 },
    }));
    await world.ports.store.putEvents(stack?.id ?? "", events);
    const api = middy(apiHandler(world.ports, SETTINGS)).use(answerLimit());
    const list = (search: string, headers = {}) =>
      api(asking(`/v1/demo${path}/events`, headers, search), CONTEXT);
    expect((await list("")).statusCode).toBe(400);
    const all = await list("", GZIP);
    expect(all.statusCode).toBe(200);
    expect(
      JSON.parse(gunzipSync(Buffer.from(all.body, "base64")).toString()).events.length,
    ).toBeGreaterThan(10_000);
    const page = await list("limit=1000&marker=event-4999");
    expect(JSON.parse(page.body).events).toHaveLength(1_000);
  });
});
