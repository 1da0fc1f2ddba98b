import { FUNCTION_MEMORY_MB } from "../../../infra/capacity.ts";
import { count, requestMs } from "./latency.ts";
import { LATENCY_MS, LOG_BYTES, PRICES, REQUEST_MS, TRANSITIONS_PER_EXECUTION } from "./prices.ts";
import type { Run } from "./run.ts";

export const PARTS = [
  "writes",
  "reads",
  "functions",
  "queues",
  "bucket",
  "supervisor",
  "request",
  "logs",
] as const;
export type Part = (typeof PARTS)[number];
export type Dollars = { readonly [Name in Part]: number };

const MS = 1_000;
const MB_PER_GB = 1_024;

type Sized = keyof typeof FUNCTION_MEMORY_MB;

const lambda = (name: Sized, invocations: number, busyMs: number): number =>
  invocations * PRICES.invocation +
  ((busyMs / MS) * FUNCTION_MEMORY_MB[name] * PRICES.lambdaGbSecond) / MB_PER_GB;

const { read, write, work } = LATENCY_MS;

/**
 * A function handles the messages of a batch in parallel, so it waits only once for all of them.
 */
const engineMs = ({ engine, handled }: Run): number =>
  (requestMs(engine) * handled.invocations) / handled.messages + handled.visits * work;

const functions = (run: Run): number => {
  const { handled, streams, traversals, usage, engine } = run;
  const eventsMs = requestMs(usage) - requestMs(engine) + streams.events * work;
  return (
    lambda("check-resource", handled.invocations, engineMs(run)) +
    lambda("events", streams.events, eventsMs) +
    lambda("supervise-stacks", streams.supervisor, streams.supervisor * (read + write + work)) +
    lambda("await-end", traversals, traversals * (write + read + work))
  );
};

/** For one accepted request. The API's own writes are part of the run. */
const requestDollars =
  PRICES.apiRequest +
  lambda("authorizer", 1, REQUEST_MS.authorizer) +
  lambda("api", 1, REQUEST_MS.api) +
  PRICES.readUnit +
  PRICES.writeUnit;

const executionDollars =
  TRANSITIONS_PER_EXECUTION * PRICES.stateTransition + PRICES.writeUnit + PRICES.readUnit;

const loggedBytes = ({ handled, streams, traversals }: Run): number => {
  const requestCalls = 2 * traversals;
  const calls =
    handled.invocations + streams.events + streams.supervisor + traversals + requestCalls;
  return (
    handled.messages * LOG_BYTES.message +
    calls * LOG_BYTES.invocation +
    traversals * (LOG_BYTES.access + LOG_BYTES.execution)
  );
};

export const dollarsOf = (run: Run): Dollars => {
  const { usage, traversals } = run;
  const sqs = ["sqs SendMessageBatch", "sqs ReceiveMessage", "sqs DeleteMessageBatch"];
  return {
    writes: usage.writeUnits * PRICES.writeUnit,
    reads: usage.readUnits * PRICES.readUnit,
    functions: functions(run),
    queues: count(usage, ...sqs) * PRICES.sqsRequest,
    bucket:
      count(usage, "s3 PutObject") * PRICES.s3Put +
      count(usage, "s3 GetObject", "s3 HeadObject") * PRICES.s3Get,
    supervisor: traversals * executionDollars,
    request: traversals * requestDollars,
    logs: loggedBytes(run) * PRICES.loggedByte,
  };
};

export const totalOf = (dollars: Dollars): number =>
  PARTS.reduce((sum, part) => sum + dollars[part], 0);
