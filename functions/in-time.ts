/**
 * Lets an HTTP function answer before its time is over: 503 with Retry-After, as the documents say.
 * middy's own end is an error, which would be answered as a failure of the server.
 */
import type { Context } from "aws-lambda";
import { RetryLater } from "#lib/errors.ts";

/** So long before its end a function answers: the answer needs time on its way too. */
const ANSWER_MS = 250;
const AFTER_SECONDS = 5;

/** For middy, which then ends nothing by itself. */
export const ENDS_ITSELF = { timeoutEarlyInMillis: 0 } as const;

/**
 * Throws RetryLater when the time is over. The work is not stopped by that: in a host that goes on
 * running, what it has begun may still take effect.
 */
export const inTime = async <Answer>(
  context: Pick<Context, "getRemainingTimeInMillis">,
  work: () => Promise<Answer>,
): Promise<Answer> => {
  const { promise: end, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new RetryLater("the time of the request is over", AFTER_SECONDS)),
    Math.max(context.getRemainingTimeInMillis() - ANSWER_MS, 0),
  );
  try {
    return await Promise.race([work(), end]);
  } finally {
    clearTimeout(timer);
  }
};
