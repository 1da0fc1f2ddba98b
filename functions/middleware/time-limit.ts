/**
 * Lets an HTTP function answer before its time is over: 503 with Retry-After. Without it, middy's
 * own timeout error would be answered as a 500. The work itself is not stopped. On an embedded
 * host, which goes on running, it may still take effect.
 */
import { RetryLater } from "#lib/errors.ts";

/** The answer itself needs time, so a function answers this long before its end. */
const ANSWER_MS = 250;
const AFTER_SECONDS = 5;

export const IN_TIME = {
  timeoutEarlyInMillis: ANSWER_MS,
  timeoutEarlyResponse: (): never => {
    throw new RetryLater("the time of the request is over", AFTER_SECONDS);
  },
} as const;
