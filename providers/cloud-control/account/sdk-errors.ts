import * as z from "zod/mini";
import { Refused, TryAgain } from "../client.ts";

/** The call had no effect and can be repeated. */
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

const OF_CLOCK: ReadonlySet<string> = new Set([
  "AuthFailure",
  "InvalidSignatureException",
  "RequestExpired",
  "RequestInTheFuture",
  "RequestTimeTooSkewed",
  "SignatureDoesNotMatch",
]);

const SERVER_ERROR = 500;

/** A shortage of capacity can last for days, so it is not retried although its status is 5xx. */
const FULL = /^Insufficient\w*Capacity$/;

const serviceError = z.object({
  name: z.string(),
  message: z.string(),
  $metadata: z.object({
    httpStatusCode: z.optional(z.number()),
    /** The host's clock was off by minutes. AWS's client corrects for it from now on. */
    clockSkewCorrected: z.optional(z.boolean()),
  }),
});

/** The host has no credentials, so no request was sent. */
const NO_CREDENTIALS = /^CredentialsProviderError$/;

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
