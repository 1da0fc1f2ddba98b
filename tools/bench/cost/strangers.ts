/**
 * What a million requests of a stranger cost, computed from what one request makes a function do.
 */
import { FUNCTION_MEMORY_MB } from "../../../infra/capacity.ts";
import { LATENCY_MS, LOG_BYTES, PRICES } from "./prices.ts";

const MILLION = 1_000_000;
const MS = 1_000;
const MB_PER_GB = 1_024;
const HEAD_BYTES = 600;

export interface StrangersRequest {
  readonly name: keyof typeof FUNCTION_MEMORY_MB;
  readonly readUnits: number;
  readonly loggedBytes: number;
  /** Whether the function omits Lambda's own log lines. */
  readonly isQuiet: boolean;
  readonly answerBytes: number;
  /** API Gateway does not charge for requests that it rejects itself. */
  readonly isBilled: boolean;
  readonly isListed: boolean;
}

export const dollarsAMillion = (request: StrangersRequest): number => {
  const { name, readUnits, loggedBytes, isQuiet, answerBytes, isBilled, isListed } = request;
  const busyMs = LATENCY_MS.work + Math.ceil(readUnits) * LATENCY_MS.read;
  const logged =
    loggedBytes + (isQuiet ? 0 : LOG_BYTES.invocation) + (isListed ? LOG_BYTES.access : 0);
  return (
    MILLION *
    ((isBilled ? PRICES.apiRequest : 0) +
      PRICES.invocation +
      (busyMs / MS) * (FUNCTION_MEMORY_MB[name] / MB_PER_GB) * PRICES.lambdaGbSecond +
      readUnits * PRICES.readUnit +
      logged * PRICES.loggedByte +
      (answerBytes + HEAD_BYTES) * PRICES.egressByte)
  );
};
