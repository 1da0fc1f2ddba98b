/** What a polling server costs a month, from the counts of a poll. */
import { LATENCY_MS, PRICES } from "../cost/prices.ts";
import type { PolledHour } from "./hour.ts";

/** 30 days of a poll each 30 seconds. */
export const POLLS_A_MONTH = 86_400;
const GB = 0.25;
const MS = 1_000;

/**
 * Assumed milliseconds of a poll, and of the HEAD that stock agents send before it. 256 MB have a
 * seventh of a processor. They are not measured.
 */
const WORK_MS = { poll: 9, head: 2 };
/** Headers of an answer with those of TLS, and of the answer to a HEAD. */
const HEADER_BYTES = 400;

export interface MonthlyDollars {
  readonly requests: number;
  readonly compute: number;
  readonly reads: number;
  readonly writes: number;
  readonly total: number;
  /** Apart: the first 100 GB of an account are free each month. */
  readonly egress: number;
}

/** `hasHead`: each poll is a HEAD and a GET, as with stock agents. */
export const dollarsOf = (hour: PolledHour, hasHead: boolean): MonthlyDollars => {
  const calls = hasHead ? 2 : 1;
  const busyMs =
    WORK_MS.poll +
    hour.reads * LATENCY_MS.read +
    hour.writes * LATENCY_MS.write +
    (hasHead ? WORK_MS.head : 0);
  const requests = calls * PRICES.invocation * POLLS_A_MONTH;
  const compute = (busyMs / MS) * GB * PRICES.lambdaGbSecond * POLLS_A_MONTH;
  const reads = hour.readUnits * PRICES.readUnit * POLLS_A_MONTH;
  const writes = hour.writeUnits * PRICES.writeUnit * POLLS_A_MONTH;
  const sent = hour.bytes + calls * HEADER_BYTES;
  return {
    requests,
    compute,
    reads,
    writes,
    total: requests + compute + reads + writes,
    egress: sent * PRICES.egressByte * POLLS_A_MONTH,
  };
};
