import { describe, expect, it } from "vitest";
import type { Client } from "#client/client.ts";
import { Unreachable } from "#client/errors.ts";
import { type Watcher, waitForStack } from "#client/wait.ts";
import { EventShape, StackShape } from "#client/wire.ts";
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
