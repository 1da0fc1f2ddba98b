/**
 * The reduction at rest. Without living workers, no one remembers a version, a signal count or a
 * time, so all may be renumbered. The engine compares versions and counts only for equality with
 * what the same worker has read. It compares times only with now, within known margins
 * (docs/rules/proof.md).
 */
import { OVERDUE_MS_MIN, SETTLE_MS_MIN } from "#lib/convergence/limits.ts";
import type { SyncPoint } from "#lib/model/graph.ts";
import type { Operation, Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { NestedMemory } from "../simulation/world/nested-checkers.ts";
import type { Configuration } from "./configuration.ts";
import type { ProviderState, State, Values } from "./state.ts";

/** A time that is past by more than every margin of the engine stays past. */
const PAST_MS_MAX = OVERDUE_MS_MIN + 1_000;
const ENDED_MS_MAX = SETTLE_MS_MIN + 1_000;

const since = (time: number, now: number, pastMax = PAST_MS_MAX): number =>
  Math.max(time - now, -pastMax);
const sinceOrNull = (time: number | null, now: number): number | null =>
  time === null ? null : since(time, now);

/**
 * An operation that had time still has it when both times are long past. An operation without time
 * is a dead letter's, and the engine ends it without a call.
 */
const settledOperation = (operation: Operation, now: number): Operation => {
  const deadline = since(operation.deadline, now);
  const hadTime = operation.startedAt < operation.deadline;
  const startedAt = Math.min(since(operation.startedAt, now), deadline - Number(hadTime));
  return { ...operation, startedAt, deadline };
};

const settledRow = (row: Resource, now: number): Resource => ({
  ...row,
  version: 1,
  signals: 0,
  lease: row.lease === null ? null : { ...row.lease, expiresAt: since(row.lease.expiresAt, now) },
  nextPollAt: sinceOrNull(row.nextPollAt, now),
  waitUntil: sinceOrNull(row.waitUntil, now),
  operation: row.operation === null ? null : settledOperation(row.operation, now),
});

const settledStack = (stack: Stack | null, now: number): Stack | null =>
  stack === null
    ? null
    : {
        ...stack,
        statusVersion: 1,
        sentAt: stack.status === "IN_PROGRESS" ? sinceOrNull(stack.sentAt, now) : null,
        deadline: since(stack.deadline, now),
        endedAt: stack.endedAt === null ? null : since(stack.endedAt, now, ENDED_MS_MAX),
      };

const HOUR_MS = 3_600_000;
const FAR_AHEAD_MS = 8_000 * 60_000;

/**
 * The owner of a nested stack polls it without end, and no path reaches a deadline far away. After
 * `settledStack` or `settledOperation`, a deadline is counted from now.
 */
const withoutHaste = <Timed extends Pick<Stack, "deadline">>(timed: Timed): Timed =>
  timed.deadline > HOUR_MS ? { ...timed, deadline: FAR_AHEAD_MS } : timed;

/**
 * The version of a nested stack stays, because names and ids are derived from it. A cooldown is
 * counted from its last convergence.
 */
const settledNested = (stack: Stack | null, now: number, cooldownMsMax: number): Stack | null => {
  const settled = settledStack(stack, now);
  if (settled === null || stack === null) return null;
  const { statusVersion, convergedAt } = stack;
  return {
    ...withoutHaste(settled),
    statusVersion,
    convergedAt: convergedAt === null ? null : since(convergedAt, now, cooldownMsMax),
  };
};

const settledBlob = (text: string, now: number): string =>
  text.replace(
    /"cooldownEnd":(\d+)/,
    (_, end: string) => `"cooldownEnd":${Math.max(Number(end) - now, 0)}`,
  );

const settledMemory = ({ scaling, ...memory }: NestedMemory, now: number): NestedMemory => ({
  ...memory,
  scaling: {
    ...scaling,
    cooldowns: scaling.cooldowns.map(([id, end]) => [id, Math.max(end - now, 0)]),
  },
});

/** The time of a point that is not full decides nothing, because the next arrival replaces it. */
const settledPoint = (point: SyncPoint, now: number): SyncPoint => ({
  ...point,
  version: 1,
  arrivedAt: point.arrived.length < point.fanIn ? null : sinceOrNull(point.arrivedAt, now),
});

const settledProvider = ({ objects, answers }: ProviderState, now: number): ProviderState => ({
  objects,
  answers: Object.fromEntries(
    Object.entries(answers).map(([token, answer]) => [
      token,
      answer.state === "working" ? { ...answer, readyAt: since(answer.readyAt, now) } : answer,
    ]),
  ),
});

const ascending = (ids: number[]): number[] => ids.sort((a, b) => a - b);

const remembered = (make: (id: number, now: number) => number) => {
  const known = new Map<string, number>();
  return (id: number, now: number): number => {
    const key = `${id}|${now}`;
    const made = known.get(key) ?? make(id, now);
    known.set(key, made);
    return made;
  };
};

const settlingNested = ({ stacks, rows, blobs, memories }: Values, cooldownMsMax: number) => {
  const nested = remembered((id, now) =>
    stacks.idOf(settledNested(stacks.valueOf(id), now, cooldownMsMax)),
  );
  const root = remembered((id) => {
    const stack = stacks.valueOf(id);
    return stacks.idOf(stack === null ? null : { ...withoutHaste(stack), convergedAt: null });
  });
  const row = remembered((id) => {
    const { operation, ...rest } = rows.valueOf(id);
    return rows.idOf({ ...rest, operation: operation === null ? null : withoutHaste(operation) });
  });
  const records = remembered((id, now) =>
    blobs.idOf(
      Object.fromEntries(
        Object.entries(blobs.valueOf(id)).map(([key, text]) => [key, settledBlob(text, now)]),
      ),
    ),
  );
  const memory = remembered((id, now) => memories.idOf(settledMemory(memories.valueOf(id), now)));
  return (state: State, now: number): void => {
    if (state.nested.length === 0) return;
    state.nested = ascending(state.nested.map((id) => nested(id, now)));
    state.rows = ascending(state.rows.map((id) => row(id, 0)));
    state.stack = root(state.stack, 0);
    state.formerStack = root(state.formerStack, 0);
    state.blobs = records(state.blobs, now);
    state.memory = memory(state.memory, now);
  };
};

export const settling = (values: Values, { cooldownMsMax = 0 }: Configuration) => {
  const { rows, stacks, points, providers, entries } = values;
  const settleNested = settlingNested(values, cooldownMsMax);
  const row = remembered((id, now) => rows.idOf(settledRow(rows.valueOf(id), now)));
  const stack = remembered((id, now) => stacks.idOf(settledStack(stacks.valueOf(id), now)));
  const point = remembered((id, now) => points.idOf(settledPoint(points.valueOf(id), now)));
  const provider = remembered((id, now) =>
    providers.idOf(settledProvider(providers.valueOf(id), now)),
  );
  const entry = remembered((id, now) => {
    const { deliverAt, ...entry } = entries.valueOf(id);
    return entries.idOf({ ...entry, deliverAt: Math.max(deliverAt - now, 0) });
  });
  return (state: State): void => {
    if (state.workers.length > 0) return;
    const { now } = state;
    state.rows = ascending(state.rows.map((id) => row(id, now)));
    state.stack = stack(state.stack, now);
    state.formerStack = stack(state.formerStack, now);
    state.points = ascending(state.points.map((id) => point(id, now)));
    state.provider = provider(state.provider, now);
    state.queue = ascending(state.queue.map((id) => entry(id, now)));
    settleNested(state, now);
    state.now = 0;
  };
};
