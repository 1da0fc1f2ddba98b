import type { DynamoDBRecord, DynamoDBStreamEvent } from "aws-lambda";
import { beforeEach, describe, expect, it } from "vitest";
import { handler as awaitEnd } from "#functions/await-end/handler.ts";
import type { Meter } from "#functions/meter.ts";
import { handler as superviseStacks } from "#functions/supervise-stacks/handler.ts";
import type { StackEnd, Supervisor, Watch } from "#functions/supervise-stacks/supervisor.ts";
import { aStack } from "../../contract/records.ts";
import { marshallImage } from "./stream-event.ts";

const NOW = 1_000_000;

const started: Watch[] = [];
const ended: (readonly [string, StackEnd])[] = [];
const tokens = new Map<string, string>();
let fails = false;
const supervisor: Supervisor = {
  start: async (watch) => {
    if (fails) throw new Error("busy");
    started.push(watch);
  },
  putToken: async (traversalId, token) => {
    tokens.set(traversalId, token);
  },
  getToken: async (traversalId) => tokens.get(traversalId) ?? null,
  end: async (token, outcome) => {
    ended.push([token, outcome]);
  },
};
const counted: unknown[] = [];
const meter: Meter = {
  add: (metric, value, outcome) => {
    counted.push([metric, value, outcome]);
  },
};
const supervise = superviseStacks(supervisor, { now: () => NOW }, meter);

beforeEach(() => {
  started.length = 0;
  ended.length = 0;
  tokens.clear();
  counted.length = 0;
  fails = false;
});

type Image = Partial<{ traversalId: string; status: string; deadline: number }>;

const image = (fields: Image) =>
  marshallImage({
    tenant: "demo",
    id: "s1",
    statusVersion: 1,
    timeoutMins: 1,
    traversalId: "t1",
    status: "IN_PROGRESS",
    deadline: NOW + 30_000,
    ...fields,
  });

const change = (before: Image | null, after: Image): DynamoDBRecord => ({
  dynamodb: {
    SequenceNumber: "7",
    NewImage: image(after),
    ...(before ? { OldImage: image(before) } : {}),
  },
});

const feed = (...Records: readonly DynamoDBRecord[]) => {
  const event: DynamoDBStreamEvent = { Records: [...Records] };
  return supervise(event);
};

describe("the supervisor's stream handler", () => {
  it("starts a watch with the remaining time when an operation is accepted", async () => {
    await feed(change(null, {}));
    const watch = { tenant: "demo", stackId: "s1", traversalId: "t1", timeoutSeconds: 30 };
    expect(started).toEqual([watch]);
  });

  it("ends the overtaken traversal's watch and starts the new one's", async () => {
    tokens.set("t1", "token");
    await feed(change({}, { traversalId: "t2" }));
    expect(ended).toEqual([["token", "OVERTAKEN"]]);
    expect(started.map(({ traversalId }) => traversalId)).toEqual(["t2"]);
  });

  it("ends the watch with its operation, even before there is a token", async () => {
    await feed(change({}, { status: "COMPLETE" }));
    tokens.set("t1", "token");
    await feed(change({}, { status: "FAILED" }));
    expect(ended).toEqual([["token", "FAILED"]]);
  });

  it("counts the seconds from an operation's acceptance to its end, by outcome", async () => {
    await feed(
      change(null, {}),
      change({}, { status: "COMPLETE" }),
      change({ deadline: NOW + 50_000 }, { traversalId: "t2" }),
    );
    expect(counted).toEqual([
      ["TraversalSeconds", 30, "COMPLETE"],
      ["TraversalSeconds", 10, "OVERTAKEN"],
    ]);
  });

  it("ignores all other changes", async () => {
    await feed(
      change({}, {}),
      change({ status: "COMPLETE" }, { status: "COMPLETE" }),
      change({ status: "COMPLETE" }, { traversalId: "t2", status: "FAILED" }),
      { dynamodb: { NewImage: { graph: { B: "AA==" } } } },
      { dynamodb: { OldImage: image({}) } },
    );
    expect([started, ended]).toEqual([[], []]);
  });

  it("asks for the record again when a watch could not be started", async () => {
    fails = true;
    expect(await feed(change(null, {}))).toEqual({ batchItemFailures: [{ itemIdentifier: "7" }] });
  });
});

describe("the supervisor's task", () => {
  const task = { token: "new", tenant: "demo", stackId: "s1", traversalId: "t1" };
  const run = (stack: Partial<ReturnType<typeof aStack>> | null) =>
    awaitEnd(
      { store: { getStack: async () => stack && { ...aStack(), ...stack } } },
      supervisor,
    )(task);

  it("keeps its token and waits while the operation is in progress", async () => {
    await run({ traversalId: "t1", status: "IN_PROGRESS" });
    expect([tokens.get("t1"), ended]).toEqual(["new", []]);
  });

  it("ends at once if the end came before the token", async () => {
    await run({ traversalId: "t1", status: "COMPLETE" });
    await run({ traversalId: "t2", status: "IN_PROGRESS" });
    await run(null);
    expect(ended.map(([, outcome]) => outcome)).toEqual(["COMPLETE", "OVERTAKEN", "OVERTAKEN"]);
  });
});
