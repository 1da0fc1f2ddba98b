/** Polls a stack and its events until an operation ends or is overtaken. */
import { RequestError } from "#lib/errors.ts";
import { type Client, stackPath } from "./client.ts";
import { Unreachable } from "./errors.ts";
import type { Sleep } from "./pause.ts";
import { StackAnswer, type WireEvent, type WireStack } from "./wire.ts";

const POLL_MS = 1_000;
/** An event is written after the state that it reports, so the last ones may be late. */
const LATE_EVENTS_POLLS_MAX = 10;
const LATE_EVENTS_POLL_MS = 200;
const OUTAGE_MS_MAX = 60_000;

type WaitEnd =
  | { readonly kind: "complete"; readonly stack: WireStack | null }
  | { readonly kind: "failed"; readonly stack: WireStack; readonly reason: string }
  | { readonly kind: "overtaken"; readonly by: string }
  | { readonly kind: "interrupted" };

export interface Watcher {
  readonly pause: Sleep;
  readonly update: (stack: WireStack, newEvents: readonly WireEvent[]) => Promise<void>;
  readonly outage: (message: string) => void;
}

/**
 * The last event before an operation of ours. If another operation runs, its first event may still
 * be missing. The function waits for that event, so that it is not taken for ours.
 */
export const lastEventId = async (
  client: Client,
  stack: WireStack,
  pause: Sleep,
): Promise<string | null> => {
  if (!isEnd(stack.stack_status)) {
    for (let polls = 0; polls < LATE_EVENTS_POLLS_MAX; polls += 1) {
      const [newest] = await client.events(stack, {
        resource_name: stack.stack_name,
        sort_dir: "desc",
        limit: 1,
      });
      if (newest?.resource_status === stack.stack_status) break;
      await pause(LATE_EVENTS_POLL_MS);
    }
  }
  const [last] = await client.events(stack, { sort_dir: "desc", limit: 1 });
  return last?.id ?? null;
};

export const waitForStack = async (
  client: Client,
  operation: StackOperation,
  watcher: Watcher,
  stop: AbortSignal,
): Promise<WaitEnd> => {
  const events: WireEvent[] = [];
  const outage = outageLimit(watcher);
  while (!stop.aborted) {
    const stack = await outage(() => look(client, operation, events, watcher));
    if (stack === null) return { kind: "complete", stack: null };
    if (stack !== "away") {
      const by = overtakenBy(operation, events, stack.stack_status);
      if (by !== null) return { kind: "overtaken", by };
      if (isEnd(stack.stack_status)) return ended(operation, events, stack);
    }
    await watcher.pause(POLL_MS, stop);
  }
  return { kind: "interrupted" };
};

/**
 * Waits until nothing runs, including operations of other users.
 * @returns null when `stop` has ended the wait; a null `stack` when the stack no longer exists.
 */
export const watchStack = async (
  client: Client,
  stack: WireStack,
  watcher: Watcher,
  stop: AbortSignal,
): Promise<{ readonly stack: WireStack | null } | null> => {
  if (isEnd(stack.stack_status)) return { stack };
  const [last] = await client.events(stack, { sort_dir: "desc", limit: 1 });
  const operation = { stack, verb: "DELETE", marker: last?.id ?? null, goodEnds: [] } as const;
  const events: WireEvent[] = [];
  const outage = outageLimit(watcher);
  while (!stop.aborted) {
    const seen = await outage(() => look(client, operation, events, watcher));
    if (seen === null) return { stack: null };
    if (seen !== "away" && isEnd(seen.stack_status)) return { stack: seen };
    await watcher.pause(POLL_MS, stop);
  }
  return null;
};

const ended = (
  operation: StackOperation,
  events: readonly WireEvent[],
  stack: WireStack,
): WaitEnd =>
  operation.goodEnds.includes(stack.stack_status)
    ? { kind: "complete", stack }
    : { kind: "failed", stack, reason: failureReason(operation, events, stack) };

/** @returns null when the server no longer shows the stack. */
const look = async (
  client: Client,
  operation: StackOperation,
  events: WireEvent[],
  watcher: Watcher,
): Promise<WireStack | null> => {
  try {
    const path = `${stackPath(operation.stack)}?resolve_outputs=false`;
    const { stack } = await client.request("GET", path, StackAnswer);
    const polls = isEnd(stack.stack_status) ? LATE_EVENTS_POLLS_MAX : 1;
    for (let poll = 0; poll < polls; poll += 1) {
      if (poll > 0) await watcher.pause(LATE_EVENTS_POLL_MS);
      const marker = events.at(-1)?.id ?? operation.marker;
      const newEvents = await client.events(operation.stack, { marker });
      events.push(...newEvents);
      await watcher.update(stack, newEvents);
      if (events.some((event) => reports(stack, event))) break;
    }
    return stack;
  } catch (error) {
    const gone = error instanceof RequestError && error.status === 404;
    if (gone && operation.verb === "DELETE") return null;
    throw error;
  }
};

const reports = (stack: WireStack, event: WireEvent): boolean =>
  isStackEvent(stack, event) && event.resource_status === stack.stack_status;

/** The server fails, or other requests of the project use up its limit. */
const isPassing = (error: unknown): error is Error =>
  error instanceof Unreachable ||
  (error instanceof RequestError && (error.status >= 500 || error.status === 429));

const outageLimit = (watcher: Watcher) => {
  let since: number | null = null;
  return async <Result>(request: () => Promise<Result>): Promise<Result | "away"> => {
    try {
      const result = await request();
      since = null;
      return result;
    } catch (error) {
      const now = Date.now();
      if (!isPassing(error) || now - (since ?? now) > OUTAGE_MS_MAX) throw error;
      if (since === null) watcher.outage(error.message);
      since ??= now;
      return "away";
    }
  };
};

export type StackVerb =
  | "CREATE"
  | "UPDATE"
  | "DELETE"
  | "SUSPEND"
  | "RESUME"
  | "CHECK"
  | "ADOPT"
  | "SNAPSHOT"
  | "RESTORE"
  | "CANCEL";

export interface StackOperation {
  readonly stack: Pick<WireStack, "id" | "stack_name">;
  readonly verb: StackVerb;
  /** The id of the last event before the operation; null for a stack that had none. */
  readonly marker: string | null;
  readonly goodEnds: readonly string[];
}

const isStackEvent = (stack: StackOperation["stack"], event: WireEvent): boolean =>
  event.resource_name === stack.stack_name && event.physical_resource_id === stack.id;

/**
 * Each accepted operation begins with an event of its own. The first one after the marker is ours,
 * and so is a rollback. Any later one is another user's.
 * @returns the action that took over, or null.
 */
export const overtakenBy = (
  { stack, verb }: StackOperation,
  events: readonly WireEvent[],
  status: string,
): string | null => {
  const begun = events
    .filter((event) => isStackEvent(stack, event))
    .map((event) => event.resource_status)
    .filter((state) => state.endsWith("_IN_PROGRESS"))
    .map(actionOf);
  const others = begun.slice(1).filter((action) => action !== "ROLLBACK");
  const now = actionOf(status);
  const foreign = verb !== "CANCEL" && now !== verb && now !== "ROLLBACK";
  return others.at(-1) ?? (foreign ? now : null);
};

/** A successful rollback has its own reason, but the user wants the reason why it started. */
export const failureReason = (
  operation: StackOperation,
  events: readonly WireEvent[],
  stack: Pick<WireStack, "stack_status" | "stack_status_reason">,
): string => {
  if (!stack.stack_status.startsWith("ROLLBACK_")) return stack.stack_status_reason ?? "";
  const start = events.find(
    (event) =>
      isStackEvent(operation.stack, event) && event.resource_status === "ROLLBACK_IN_PROGRESS",
  );
  return start?.resource_status_reason || stack.stack_status_reason || "";
};

const isEnd = (status: string): boolean => !status.endsWith("_IN_PROGRESS");

const actionOf = (status: string): string => status.replace(/_(IN_PROGRESS|COMPLETE|FAILED)$/, "");
