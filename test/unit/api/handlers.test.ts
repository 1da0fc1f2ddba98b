import type { Context, DynamoDBRecord, SQSEvent } from "aws-lambda";
import { beforeEach, describe, expect, it } from "vitest";
import { handler as apiHandler } from "#functions/api/handler.ts";
import { handler as checkHandler } from "#functions/check-resource/handler.ts";
import { handler as eventsHandler } from "#functions/events/handler.ts";
import { handler as prepareHandler } from "#functions/prepare-traversal/handler.ts";
import { handler as signalHandler } from "#functions/signal/handler.ts";
import { fromAttributes } from "#functions/stream-batch.ts";
import { lambdaContext, proxyEvent, sqsEvent } from "#host/lambda-events.ts";
import { streamEvent } from "../functions/stream-event.ts";
import { createStack, openWorld, SETTINGS, textAt, type World } from "./api-world.ts";

const EMPTY = { template: { heat_template_version: "2016-10-14" } };
const context: Context = lambdaContext("test", 60_000);

let world: World;
beforeEach(() => {
  world = openWorld();
});

const eventOf = (...messages: readonly string[]): SQSEvent =>
  sqsEvent(
    "prepare",
    messages.map((body, index) => ({
      messageId: `m${index}`,
      receiptHandle: `r${index}`,
      tenant: "demo",
      body,
      receiveCount: 1,
      sentAt: 0,
      sourceQueue: null,
    })),
  );

const pending = (): string => JSON.stringify(world.queue.pending[0]?.message);

describe("the queue handlers", () => {
  it("return only the records that failed", async () => {
    const path = await createStack(world, "app", EMPTY);
    const prepare = prepareHandler(world.ports);
    const answer = await prepare(eventOf(pending(), "not JSON", '{"type":"dance"}'), context);
    expect(answer).toEqual({
      batchItemFailures: [{ itemIdentifier: "m1" }, { itemIdentifier: "m2" }],
    });
    const { body } = await world.send("GET", path);
    expect(textAt(body, "stack", "stack_status")).toBe("CREATE_COMPLETE");
  });

  it("refuse a message that belongs on another queue", async () => {
    await createStack(world, "app", EMPTY);
    const answer = await checkHandler(world.ports)(eventOf(pending()), context);
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: "m0" }] });
  });
});

describe("the events handler", () => {
  it("writes the event of a change once, for any number of deliveries", async () => {
    const path = await createStack(world, "app", EMPTY);
    const events = eventsHandler(world.ports);
    const stream = streamEvent(world.store.changes.splice(0), world.clock.now());
    await events(stream);
    await events(stream);
    const { body } = await world.send("GET", `${path}/events`);
    expect(body).toMatchObject({ events: [{ resource_status: "CREATE_IN_PROGRESS" }] });
    expect(Object(body).events).toHaveLength(1);
  });

  it("writes an event for a change with texts that are too large, and the events after it", async () => {
    const path = await createStack(world, "app", EMPTY);
    const stream = streamEvent(world.store.changes.splice(0), world.clock.now());
    const pointer = { M: { spilled: { S: "a hash" }, kind: { S: "S" } } };
    const [record] = stream.Records;
    const image = record?.dynamodb?.NewImage;
    if (image === undefined) throw new Error("no image");
    image["statusReason"] = pointer;
    const answer = await eventsHandler(world.ports)(stream);
    expect(answer).toEqual({ batchItemFailures: [] });
    const { body } = await world.send("GET", `${path}/events`);
    expect(body).toMatchObject({
      events: [{ resource_status_reason: "(too large to be told in an event)" }],
    });
  });

  it("stops at the first change that it cannot read, so that none is skipped", async () => {
    await createStack(world, "app", EMPTY);
    const stream = streamEvent(world.store.changes.splice(0), world.clock.now());
    const broken: DynamoDBRecord = {
      dynamodb: {
        SequenceNumber: "0",
        NewImage: { signalReason: { NULL: true }, id: { S: "x" } },
      },
    };
    const answer = await eventsHandler(world.ports)({ Records: [broken, ...stream.Records] });
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: "0" }] });
    expect(world.store.dump().events).toEqual([]);
  });

  it("skips items without events, and removals", async () => {
    const other: DynamoDBRecord = { dynamodb: { NewImage: { id: { S: "sync-point" } } } };
    const removal: DynamoDBRecord = { eventName: "REMOVE", dynamodb: {} };
    const answer = await eventsHandler(world.ports)({ Records: [other, removal] });
    expect(answer).toEqual({ batchItemFailures: [] });
  });
});

describe("attribute values", () => {
  it("are read as JSON", () => {
    expect(
      fromAttributes({
        text: { S: "a" },
        number: { N: "1.5" },
        flag: { BOOL: false },
        none: { NULL: true },
        map: { M: { inner: { S: "b" } } },
        list: { L: [{ N: "1" }, { N: "2" }] },
      }),
    ).toEqual({
      text: "a",
      number: 1.5,
      flag: false,
      none: null,
      map: { inner: "b" },
      list: [1, 2],
    });
    expect(() => fromAttributes({ numbers: { NS: ["1"] } })).toThrow("is not read here");
  });
});

describe("the API handler", () => {
  it("reads a body in base64, and every value of a repeated key", async () => {
    const body = Buffer.from(JSON.stringify({ stack_name: "app", ...EMPTY })).toString("base64");
    const api = apiHandler(world.ports, SETTINGS);
    const request = {
      path: "/v1/demo/stacks",
      search: new URLSearchParams(),
      headers: {},
      pathParameters: {},
    };
    const post = proxyEvent({ ...request, method: "POST", body });
    const created = await api({ ...post, isBase64Encoded: true }, context);
    expect(created.statusCode).toBe(201);
    await createStack(world, "other", EMPTY);
    const search = new URLSearchParams("name=app&name=other");
    const list = await api(proxyEvent({ ...request, method: "GET", body: null, search }), context);
    expect(JSON.parse(list.body).stacks).toHaveLength(2);
  });
});

describe("the signal handler", () => {
  it("answers a signal that has no answer with an empty body", async () => {
    const path = await createStack(world, "app", {
      template: {
        heat_template_version: "2016-10-14",
        resources: { handle: { type: "OS::Heat::SwiftSignalHandle" } },
      },
    });
    await world.settle();
    const { body } = await world.send("GET", `${path}/resources/handle`);
    const url = new URL(textAt(body, "resource", "attributes", "endpoint"));
    const derived_id = url.pathname.split("/").at(-1) ?? "";
    const event = proxyEvent({
      method: "PUT",
      path: url.pathname,
      search: url.searchParams,
      headers: {},
      pathParameters: { derived_id },
      body: "done",
    });
    const answer = await signalHandler(world.ports)(event, context);
    expect([answer.statusCode, answer.body]).toEqual([200, ""]);
  });
});
