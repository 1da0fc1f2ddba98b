/**
 * What a stage costs at rest, what its metrics cost at full load, and what strangers can make it
 * cost. All numbers are computed from the counts of its template, with prices of us-east-1 and
 * without the free tier.
 */
import { METRICS, type MetricName } from "#functions/meter.ts";
import type { StackEnd } from "#functions/supervise-stacks/supervisor.ts";
import type { DeadLetterOutcome } from "#lib/convergence/sweep/dead-letter.ts";
import type { PrepareOutcome } from "#lib/convergence/traversal/prepare.ts";
import type { CheckOutcome } from "#lib/convergence/visit.ts";
import { FUNCTION_MEMORY_MB } from "../../../infra/capacity.ts";
import { LATENCY_MS, PRICES } from "./prices.ts";

const MINUTES_A_MONTH = 43_200;
const SECONDS_A_DAY = 86_400;
const MB_PER_GB = 1_024;
const MILLION = 1_000_000;
const ALARM = 0.1;
const SECRET = 0.4;
const KEY = 1;
const METRIC = 0.3;
/** Five pollers per queue, each waiting for 20 seconds. */
const RECEIVES_A_MINUTE = 15;
/** A round reads its cursor and the list of unsettled stacks, and writes its time. */
const ROUND = { reads: 2, writes: 1 };

export interface Counts {
  readonly alarms: number;
  readonly secrets: number;
  readonly keys: number;
  readonly sources: number;
}

export const restingDollars = ({ alarms, secrets, keys, sources }: Counts) => {
  const roundMs = ROUND.reads * LATENCY_MS.read + ROUND.writes * LATENCY_MS.write;
  const gigabyteSeconds = (roundMs / 1_000) * (FUNCTION_MEMORY_MB.sweep / MB_PER_GB);
  const round =
    PRICES.invocation +
    gigabyteSeconds * PRICES.lambdaGbSecond +
    ROUND.reads * PRICES.readUnit +
    ROUND.writes * PRICES.writeUnit;
  const parts = {
    alarms: alarms * ALARM,
    secrets: secrets * SECRET,
    keys: keys * KEY,
    receives: sources * RECEIVES_A_MINUTE * MINUTES_A_MONTH * PRICES.sqsRequest,
    sweeper: MINUTES_A_MONTH * round,
  };
  return { ...parts, all: Object.values(parts).reduce((sum, one) => sum + one, 0) };
};

const UNHANDLED = ["error", "retried"];
const CHECKED = {
  propagated: 1,
  replaced: 1,
  failed: 1,
  pending: 1,
  paused: 1,
  blocked: 1,
  early: 1,
  stale: 1,
  dropped: 1,
  fenced: 1,
  lost: 1,
  overtaken: 1,
  moved: 1,
} as const satisfies Record<CheckOutcome, 1>;
const PREPARED = { sent: 1, complete: 1, stale: 1, continued: 1 } as const satisfies Record<
  PrepareOutcome,
  1
>;
const DEAD = { failed: 1, stale: 1, done: 1, busy: 1 } as const satisfies Record<
  DeadLetterOutcome,
  1
>;
const ENDED = { COMPLETE: 1, FAILED: 1, OVERTAKEN: 1 } as const satisfies Record<StackEnd, 1>;

/** Each outcome is a paid metric in addition to their sum. */
const OUTCOMES: { readonly [Name in MetricName]?: readonly string[] } = {
  Visits: [...Object.keys(CHECKED), ...UNHANDLED],
  NodesVisited: Object.keys(CHECKED),
  Preparations: [...Object.keys(PREPARED), ...UNHANDLED],
  DeadLetters: [...Object.keys(DEAD), ...UNHANDLED],
  TraversalSeconds: Object.keys(ENDED),
};

const OF_LOGS = 1;

/** The maximum of metrics that a stage can write in an hour. A busy stage writes 30 to 40. */
export const metricsMost = (): number => {
  const names = OF_LOGS + Object.keys(METRICS).length;
  return names + Object.values(OUTCOMES).reduce((sum, outcomes) => sum + outcomes.length, 0);
};

export const metricDollars = (metrics: number): number => metrics * METRIC;

const CALLS_A_MONTH = MINUTES_A_MONTH / 5;

/**
 * The maximum for calls of KMS. A function caches keys for five minutes, so in that time it calls
 * once per table or bucket, and twice per queue.
 */
export const kmsDollars = (pairs: { readonly stored: number; readonly queues: number }): number =>
  (pairs.stored + 2 * pairs.queues) * CALLS_A_MONTH * PRICES.kmsCall;

/** The cost of a day on which strangers send as many requests as the limits allow. */
export const dayDollars = (requestsASecond: number, dollarsAMillion: number): number =>
  (requestsASecond * SECONDS_A_DAY * dollarsAMillion) / MILLION;
