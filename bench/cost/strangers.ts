/** What a million requests of a stranger cost, from what one of them makes a function do. */
import { FUNCTION_MEMORY_MB } from "../../infra/function-memory.ts";
import { LATENCY_MS, LOG_BYTES, PRICES } from "./prices.ts";

const MILLION = 1_000_000;
const MS = 1_000;
const MB_PER_GB = 1_024;
/** The head of an answer. */
const HEAD_BYTES = 600;

export interface StrangersRequest {
  readonly name: keyof typeof FUNCTION_MEMORY_MB;
  readonly readUnits: number;
  /** Of the function's own lines. */
  readonly loggedBytes: number;
  /** Lambda's own lines, which quiet functions do not have. */
  readonly isQuiet: boolean;
  /** The body, as it is sent. */
  readonly answerBytes: number;
  /** API Gateway asks nothing for what it refuses, or has not seen. */
  readonly isBilled: boolean;
  /** Whether the API's access log has a line. */
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
