import type { DynamoDBRecord } from "aws-lambda";
import { describe, expect, it } from "vitest";
import { eventsOf } from "#functions/events/change-record.ts";
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
  it("is the stack's own, within the stream's second, so it sorts before its owner's end", () => {
    expect(timeOfEnd(SECOND * 1_000 + 250)).toBe(SECOND * 1_000 + 250);
    expect(timeOfEnd(SECOND * 1_000 - 1)).toBe(SECOND * 1_000);
    expect(timeOfEnd(SECOND * 1_000 + 1_250)).toBe(SECOND * 1_000 + 999);
  });
});
