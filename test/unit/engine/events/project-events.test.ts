import { describe, expect, it } from "vitest";
import { memoryIds } from "#lib/adapters/memory/seeded.ts";
import { rollbackTraversalId } from "#lib/convergence/traversal/traversal.ts";
import { resourceEvent, stackEvents } from "#lib/engine/events/project-events.ts";
import type { ResourceImage, StackImage } from "#lib/model/event.ts";

const ids = memoryIds(7);
const time = 1_700_000_000_000;

const row: ResourceImage = {
  tenant: "demo",
  stackId: "stack-1",
  id: "row-1",
  name: "web",
  type: "OS::Heat::None",
  version: 3,
  number: 1,
  generation: 2,
  action: "CREATE",
  status: "IN_PROGRESS",
  statusReason: "state changed",
  physicalResourceId: null,
  signalReason: null,
  signalId: null,
  updatedAt: time,
};

const stack: StackImage = {
  tenant: "demo",
  id: "stack-1",
  name: "app",
  action: "CREATE",
  status: "IN_PROGRESS",
  statusReason: "Stack CREATE started",
  actor: "token:0123456789ab",
  statusVersion: 1,
  traversalId: "traversal-1",
  traversalNumber: 1,
  createdAt: time,
  updatedAt: null,
  endedAt: null,
};

describe("events of rows", () => {
  it("makes none of an insert", () => {
    const inserted: ResourceImage = {
      ...row,
      action: "INIT",
      status: "COMPLETE",
      statusReason: "",
    };
    expect(resourceEvent(ids, { oldImage: null, newImage: inserted, time })).toBeNull();
  });

  it("tells each refusal of a restricted action as Heat does, in the same state too", () => {
    const statusReason =
      "ResourceActionRestricted: resources.web: update is restricted for resource.";
    const rested: ResourceImage = { ...row, status: "COMPLETE" };
    const first: ResourceImage = { ...rested, version: 4, statusReason, updatedAt: time + 1 };
    const second: ResourceImage = { ...first, version: 6, updatedAt: time + 2 };
    const expected = {
      resourceAction: "UPDATE",
      resourceStatus: "FAILED",
      reason: "update is restricted for resource.",
    };
    expect(resourceEvent(ids, { oldImage: rested, newImage: first, time })).toMatchObject(expected);
    expect(resourceEvent(ids, { oldImage: first, newImage: second, time })).toMatchObject(expected);
    const stamped: ResourceImage = { ...first, version: 5, number: 2 };
    expect(resourceEvent(ids, { oldImage: first, newImage: stamped, time })).toBeNull();
  });

  it("makes one of an insert that waits at a hook", () => {
    const statusReason = "CREATE paused until Hook pre-create is cleared";
    const paused: ResourceImage = { ...row, action: "INIT", status: "COMPLETE", statusReason };
    expect(resourceEvent(ids, { oldImage: null, newImage: paused, time })).toMatchObject({
      resourceAction: "INIT",
      reason: statusReason,
    });
  });

  it("makes none of a tombstone that is inserted", () => {
    const tombstone: ResourceImage = { ...row, type: "", action: "DELETE", status: "COMPLETE" };
    expect(resourceEvent(ids, { oldImage: null, newImage: tombstone, time })).toBeNull();
    expect(resourceEvent(ids, { oldImage: row, newImage: tombstone, time })).not.toBeNull();
  });

  it("makes one of a change of state, with its time", () => {
    const after: ResourceImage = {
      ...row,
      status: "COMPLETE",
      physicalResourceId: "p-1",
      version: 4,
    };
    expect(resourceEvent(ids, { oldImage: row, newImage: after, time })).toEqual({
      id: ids.derive("row-1", "4"),
      tenant: "demo",
      stackId: "stack-1",
      time,
      resourceName: "web",
      resourceType: "OS::Heat::None",
      physicalResourceId: "p-1",
      resourceAction: "CREATE",
      resourceStatus: "COMPLETE",
      reason: "state changed",
      change: { recordId: "row-1", version: 4, traversalNumber: 1 },
      generation: 2,
    });
  });

  it("names the row if there is no physical id", () => {
    expect(resourceEvent(ids, { oldImage: null, newImage: row, time })).toMatchObject({
      physicalResourceId: "",
      resourceId: row.id,
    });
  });

  it("makes none if only the version or the physical id changes", () => {
    const after: ResourceImage = { ...row, version: 4, physicalResourceId: "p-1" };
    expect(resourceEvent(ids, { oldImage: row, newImage: after, time })).toBeNull();
  });

  it("makes a SIGNAL event of a signal, with the row's status", () => {
    const after: ResourceImage = {
      ...row,
      version: 4,
      signalReason: "Signal: deployment 1 succeeded",
    };
    const event = resourceEvent(ids, { oldImage: row, newImage: after, time });
    expect(event).toMatchObject({
      resourceAction: "SIGNAL",
      resourceStatus: "IN_PROGRESS",
      reason: "Signal: deployment 1 succeeded",
    });
  });

  it("makes an event of a refused signal, with the row's action as in Heat", () => {
    const before: ResourceImage = { ...row, action: "SUSPEND", status: "COMPLETE" };
    const reason = "Cannot signal resource during SUSPEND";
    const after: ResourceImage = { ...before, version: 4, signalReason: reason };
    expect(resourceEvent(ids, { oldImage: before, newImage: after, time })).toMatchObject({
      resourceAction: "SUSPEND",
      resourceStatus: "COMPLETE",
      reason,
    });
  });

  it("gives a change the same id each time, and each version its own id", () => {
    const change = { oldImage: null, newImage: row, time };
    const later = { oldImage: null, newImage: { ...row, version: 4 }, time };
    expect(resourceEvent(ids, change)?.id).toBe(resourceEvent(ids, change)?.id);
    expect(resourceEvent(ids, change)?.id).not.toBe(resourceEvent(ids, later)?.id);
  });
});

describe("events of stacks", () => {
  it("looks like an event of a resource with the stack's name and id, as clients expect", () => {
    expect(stackEvents(ids, { oldImage: null, newImage: stack, time })).toMatchObject([
      {
        resourceName: "app",
        resourceType: "OS::Heat::Stack",
        physicalResourceId: "stack-1",
        resourceAction: "CREATE",
        resourceStatus: "IN_PROGRESS",
        actor: "token:0123456789ab",
      },
    ]);
  });

  it("names who has asked for an operation in its first event only", () => {
    const ended: StackImage = { ...stack, status: "COMPLETE", statusVersion: 2 };
    const [end] = stackEvents(ids, { oldImage: stack, newImage: ended, time });
    expect(end).not.toHaveProperty("actor");
  });

  it("makes one of a new traversal in the same state, when an update overtakes an update", () => {
    const updating: StackImage = {
      ...stack,
      action: "UPDATE",
      statusReason: "Stack UPDATE started",
    };
    const overtaken = { ...updating, traversalId: "traversal-2", statusVersion: 2 };
    expect(stackEvents(ids, { oldImage: updating, newImage: overtaken, time })).toHaveLength(1);
    expect(stackEvents(ids, { oldImage: updating, newImage: updating, time })).toEqual([]);
  });

  it("makes UPDATE_FAILED before the rollback, since clients wait for it", () => {
    const updating: StackImage = { ...stack, action: "UPDATE" };
    const rollingBack: StackImage = {
      ...stack,
      action: "ROLLBACK",
      statusReason: "Resource UPDATE failed: no space left",
      actor: null,
      statusVersion: 2,
      traversalId: rollbackTraversalId(ids, updating.traversalId),
    };
    const events = stackEvents(ids, { oldImage: updating, newImage: rollingBack, time });
    expect(events).toMatchObject([
      { resourceAction: "UPDATE", resourceStatus: "FAILED", reason: rollingBack.statusReason },
      { resourceAction: "ROLLBACK", resourceStatus: "IN_PROGRESS" },
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(2);
  });

  it("makes no failure for a rollback that a user requested", () => {
    const updating: StackImage = { ...stack, action: "UPDATE" };
    const asked: StackImage = { ...stack, action: "ROLLBACK", traversalId: "asked for" };
    const events = stackEvents(ids, { oldImage: updating, newImage: asked, time });
    expect(events.map(({ resourceStatus }) => resourceStatus)).toEqual(["IN_PROGRESS"]);
  });
});
