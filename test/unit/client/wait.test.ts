import { describe, expect, it } from "vitest";
import type { Client } from "#client/client.ts";
import { Unreachable } from "#client/errors.ts";
import {
  failureReason,
  overtakenBy,
  type StackOperation,
  type Watcher,
  waitForStack,
} from "#client/wait.ts";
import { EventShape, StackShape, type WireEvent } from "#client/wire.ts";
import { RequestError } from "#lib/errors.ts";

const STACK = { id: "1", stack_name: "app" };
const CREATE = {
  stack: STACK,
  verb: "CREATE",
  marker: null,
  goodEnds: ["CREATE_COMPLETE"],
} as const;

const aStack = (status: string) => StackShape.parse({ ...STACK, stack_status: status });

const anEvent = (id: string, status: string) =>
  EventShape.parse({
    id,
    event_time: "2026-01-01T00:00:00Z",
    resource_name: STACK.stack_name,
    resource_status: status,
    physical_resource_id: STACK.id,
  });

const aServer = (looks: readonly (string | Error)[]): Client => {
  let seen = 0;
  return {
    request: async (_method, _path, shape) => {
      const look = looks[Math.min(seen, looks.length - 1)];
      seen += 1;
      if (look instanceof Error) throw look;
      return shape.parse({ stack: aStack(look ?? "") });
    },
    events: async (_stack, { marker }) =>
      looks
        .slice(0, seen)
        .flatMap((look, at) =>
          look instanceof Error || look === looks[at - 1] ? [] : [anEvent(String(at), look)],
        )
        .filter(({ id }) => marker === null || marker === undefined || Number(id) > Number(marker)),
    text: async () => "",
    findStack: async () => aStack("CREATE_COMPLETE"),
    stackBelow: async (top) => top,
    resources: async () => [],
  };
};

const aWatcher = () => {
  const pauses: number[] = [];
  const outages: string[] = [];
  const watcher: Watcher = {
    pause: async (milliseconds) => {
      pauses.push(milliseconds);
    },
    update: async () => undefined,
    outage: (message) => outages.push(message),
  };
  return { watcher, pauses, outages };
};

const never = new AbortController().signal;

describe("waiting for an operation", () => {
  it("ends with the state that it waited for, after a pause for each look", async () => {
    const { watcher, pauses } = aWatcher();
    const server = aServer(["CREATE_IN_PROGRESS", "CREATE_IN_PROGRESS", "CREATE_COMPLETE"]);
    const end = await waitForStack(server, CREATE, watcher, never);
    expect(end).toMatchObject({ kind: "complete", stack: { stack_status: "CREATE_COMPLETE" } });
    expect(pauses).toEqual([1_000, 1_000]);
  });

  it("ends when another operation overtakes it", async () => {
    const { watcher } = aWatcher();
    const server = aServer(["CREATE_IN_PROGRESS", "UPDATE_IN_PROGRESS"]);
    const end = await waitForStack(server, CREATE, watcher, never);
    expect(end).toEqual({ kind: "overtaken", by: "UPDATE" });
  });

  it("reports an outage once and goes on, but throws what the server refuses", async () => {
    const { watcher, outages } = aWatcher();
    const away = new Unreachable("away");
    const server = aServer(["CREATE_IN_PROGRESS", away, away, "CREATE_COMPLETE"]);
    expect(await waitForStack(server, CREATE, watcher, never)).toMatchObject({ kind: "complete" });
    expect(outages).toEqual(["away"]);
    const refusing = aServer([new RequestError("Forbidden", 403, "no")]);
    await expect(waitForStack(refusing, CREATE, watcher, never)).rejects.toThrow("no");
  });

  it("goes on where the project's limit of requests is used up", async () => {
    const { watcher, outages } = aWatcher();
    const full = new RequestError("OverLimit", 429, "too many");
    const server = aServer(["CREATE_IN_PROGRESS", full, "CREATE_COMPLETE"]);
    expect(await waitForStack(server, CREATE, watcher, never)).toMatchObject({ kind: "complete" });
    expect(outages).toEqual(["too many"]);
  });

  it("ends at once when it is stopped", async () => {
    const { watcher } = aWatcher();
    const stopped = AbortSignal.abort();
    expect(await waitForStack(aServer([]), CREATE, watcher, stopped)).toEqual({
      kind: "interrupted",
    });
  });
});

const stack = { id: "id-1", stack_name: "web" };

const operation = (verb: StackOperation["verb"]): StackOperation => ({
  stack,
  verb,
  marker: null,
  goodEnds: [`${verb}_COMPLETE`],
});

const stackEvents = (...states: readonly string[]): WireEvent[] =>
  states.map((state, at) =>
    EventShape.parse({
      id: String(at),
      event_time: "2026-01-01T00:00:00Z",
      resource_name: "web",
      physical_resource_id: "id-1",
      resource_status: state,
      resource_status_reason: `reason of ${state}`,
    }),
  );

describe("an operation", () => {
  it("is not overtaken by its own start, its rollback or its resources", () => {
    const own = stackEvents("UPDATE_IN_PROGRESS", "ROLLBACK_IN_PROGRESS");
    const [resource] = stackEvents("CREATE_IN_PROGRESS");
    const events = [...own, ...(resource ? [{ ...resource, physical_resource_id: "other" }] : [])];
    expect(overtakenBy(operation("UPDATE"), events, "ROLLBACK_IN_PROGRESS")).toBeNull();
  });

  it("is overtaken by another of its kind, even one that has ended", () => {
    const events = stackEvents("UPDATE_IN_PROGRESS", "UPDATE_IN_PROGRESS", "UPDATE_COMPLETE");
    expect(overtakenBy(operation("UPDATE"), events, "UPDATE_COMPLETE")).toBe("UPDATE");
  });

  it("is overtaken by one of another kind, even before its first event", () => {
    const events = stackEvents("CREATE_IN_PROGRESS");
    expect(overtakenBy(operation("CREATE"), events, "DELETE_IN_PROGRESS")).toBe("DELETE");
    expect(overtakenBy(operation("CANCEL"), [], "UPDATE_FAILED")).toBeNull();
  });

  it("that was rolled back has the reason why the rollback started", () => {
    const events = stackEvents("UPDATE_IN_PROGRESS", "ROLLBACK_IN_PROGRESS", "ROLLBACK_COMPLETE");
    const end = { stack_status: "ROLLBACK_COMPLETE", stack_status_reason: "done" };
    expect(failureReason(operation("UPDATE"), events, end)).toBe("reason of ROLLBACK_IN_PROGRESS");
    expect(failureReason(operation("UPDATE"), [], end)).toBe("done");
    const failed = { stack_status: "UPDATE_FAILED", stack_status_reason: "why" };
    expect(failureReason(operation("UPDATE"), events, failed)).toBe("why");
  });
});
