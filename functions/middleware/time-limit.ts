/**
 * Lets an HTTP function answer before its time is over: 503 with Retry-After, as the documents say.
 * It is what middy does at the end of the time. middy's own error would be answered as a fault of
 * the server.
 *
 * The work is not stopped by it: in a host that goes on running, what it has begun may still take
 * effect.
 */
import { RetryLater } from "#lib/errors.ts";

/** So long before its end a function answers: the answer needs time on its way too. */
const ANSWER_MS = 250;
const AFTER_SECONDS = 5;

/** For `middy(IN_TIME)`, together with the middleware `answerErrors`. */
export const IN_TIME = {
  timeoutEarlyInMillis: ANSWER_MS,
  timeoutEarlyResponse: (): never => {
    throw new RetryLater("the time of the request is over", AFTER_SECONDS);
  },
} as const;
