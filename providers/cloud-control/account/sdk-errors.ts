/** What the errors of AWS's clients say: that nothing was done, or that nobody knows. */
import * as z from "zod/mini";
import { Refused, TryAgain } from "../client.ts";

/** Nothing was done, and it is worth asking again. */
const BUSY: ReadonlySet<string> = new Set([
  "ThrottlingException",
  "Throttling",
  "TooManyRequestsException",
  "RequestLimitExceeded",
  "ConcurrentModificationException",
  "ConcurrentOperationException",
  "ServiceInternalErrorException",
  "HandlerInternalFailureException",
  "NetworkFailureException",
  "ExpiredToken",
  "ExpiredTokenException",
]);

/** What AWS says of a signature whose time is off, among other things. */
const OF_CLOCK: ReadonlySet<string> = new Set([
  "AuthFailure",
  "InvalidSignatureException",
  "RequestExpired",
  "RequestInTheFuture",
  "RequestTimeTooSkewed",
  "SignatureDoesNotMatch",
]);

const SERVER_ERROR = 500;

/** AWS has no more of it. That may last for days, and its status is that of a server's error. */
const FULL = /^Insufficient\w*Capacity$/;

/** An error of the service has the status of its answer. */
const serviceError = z.object({
  name: z.string(),
  message: z.string(),
  $metadata: z.object({
    httpStatusCode: z.optional(z.number()),
    /** The host's clock was off by minutes. AWS's client reckons with it from now on. */
    clockSkewCorrected: z.optional(z.boolean()),
  }),
});

/** The host has no credentials of its own, so nothing was asked. */
const NO_CREDENTIALS = /^CredentialsProviderError$/;

/** AWS's clients throw nothing else. */
export const sdkError = (error: unknown, againSeconds: number): Error => {
  if (!(error instanceof Error)) return new Error(String(error));
  if (error instanceof Refused || error instanceof TryAgain) return error;
  if (NO_CREDENTIALS.test(error.name)) {
    return new Refused("CredentialsProviderError", error.message, { cause: error });
  }
  const read = z.safeParse(serviceError, error);
  if (!read.success || read.data.$metadata.httpStatusCode === undefined) {
    return new TryAgain(`AWS has not answered: ${error.message}`, againSeconds, { cause: error });
  }
  const { name, message, $metadata } = read.data;
  const isBusy =
    BUSY.has(name) ||
    ($metadata.clockSkewCorrected === true && OF_CLOCK.has(name)) ||
    (($metadata.httpStatusCode ?? 0) >= SERVER_ERROR && !FULL.test(name));
  return isBusy
    ? new TryAgain(`${name}: ${message}`, againSeconds, { cause: error })
    : new Refused(name, message, { cause: error });
};
