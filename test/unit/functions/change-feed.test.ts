import type { DynamoDBRecord } from "aws-lambda";
import { describe, expect, it } from "vitest";
import { eventsOf } from "#functions/events/change-feed.ts";
import { memoryIds } from "#lib/adapters/memory/seeded.ts";

const SECOND = 1_700_000_000;
const ids = memoryIds(7);
/** The feed is read long after the change. */
const ports = { ids, clock: { now: () => (SECOND + 60) * 1_000 } };

const imageOf = (fields: Readonly<Record<string, string | number>>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "number" ? { N: String(value) } : { S: value },
    ]),
  );

const begun = {
  tenant: "demo",
  id: "stack-1",
  name: "app",
  traversalId: "traversal-1",
  statusVersion: 1,
  action: "CREATE",
  status: "IN_PROGRESS",
  statusReason: "Stack CREATE started",
  createdAt: SECOND * 1_000 - 5_000,
};

const timeOfEnd = (endedAt: number): number | undefined => {
  const ended = { ...begun, status: "COMPLETE", statusVersion: 2, endedAt };
  const record: DynamoDBRecord = {
    dynamodb: {
      ApproximateCreationDateTime: SECOND,
      OldImage: imageOf(begun),
      NewImage: imageOf(ended),
    },
  };
  return eventsOf(ports, record)[0]?.time;
};

describe("the time of a stack's end", () => {
  it("is the stack's own, though the stream tells only the second or the minute", () => {
    expect(timeOfEnd(SECOND * 1_000 + 250)).toBe(SECOND * 1_000 + 250);
    expect(timeOfEnd(SECOND * 1_000 + 59_999)).toBe(SECOND * 1_000 + 59_999);
  });

  it("is the stream's if the worker's clock is off by more than a minute", () => {
    expect(timeOfEnd(SECOND * 1_000 - 60_001)).toBe(SECOND * 1_000);
    expect(timeOfEnd(SECOND * 1_000 + 120_000)).toBe(SECOND * 1_000);
  });
});

describe("the event of a row that lies apart", () => {
  it("is of its stack", () => {
    const row = {
      tenant: "demo",
      stackId: "stack-1#17",
      id: "row-1",
      name: "web",
      type: "T",
      version: 2,
      number: 1,
      generation: 4,
      action: "CREATE",
      status: "COMPLETE",
      statusReason: "",
      physicalResourceId: "thing-1",
      signalReason: "",
      updatedAt: SECOND * 1_000,
    };
    const images = { OldImage: imageOf({ ...row, version: 1, status: "IN_PROGRESS" }) };
    const record = { dynamodb: { ...images, NewImage: imageOf(row) } };
    expect(eventsOf(ports, record)[0]).toMatchObject({
      stackId: "stack-1",
      resourceName: "web",
      generation: 4,
    });
  });

  it("is none for the mark of such rows", () => {
    const NewImage = imageOf({ stackId: "stack-1", id: "#" });
    expect(eventsOf(ports, { eventName: "INSERT", dynamodb: { NewImage } })).toEqual([]);
  });
});

describe("the time of a row's event", () => {
  const row = {
    tenant: "demo",
    stackId: "stack-1",
    id: "row-1",
    name: "web",
    type: "OS::Heat::None",
    version: 3,
    number: 1,
    generation: 1,
    action: "CREATE",
    status: "COMPLETE",
    statusReason: "state changed",
    physicalResourceId: "web-1",
    signalReason: "",
    updatedAt: SECOND * 1_000 - 40_000,
  };

  it("is the stream's for a signal, which leaves the row's own time as it was", () => {
    const NewImage = imageOf({ ...row, version: 4, signalReason: "Signal: done" });
    const OldImage = imageOf(row);
    const record = { dynamodb: { ApproximateCreationDateTime: SECOND, OldImage, NewImage } };
    expect(eventsOf(ports, record)).toMatchObject([
      { resourceAction: "SIGNAL", time: SECOND * 1_000, change: { version: 4 } },
    ]);
  });
});
