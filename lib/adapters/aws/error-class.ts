/** What an error of AWS's SDK means to whoever called: another time, somebody has to look, or what it says. */
import * as z from "zod";
import { Bug, RetryLater } from "#lib/errors.ts";

const RETRY_AFTER_SECONDS = 2;

const BUSY = new Set([
  "ThrottlingException",
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "RequestThrottled",
  "TransactionInProgressException",
  "TransactionConflictException",
  "SlowDown",
  "RequestTimeout",
  "TimeoutError",
  "KmsThrottled",
]);
const BROKEN_CONNECTIONS = new Set([
  ...["ECONNRESET", "ECONNREFUSED", "EPIPE", "ETIMEDOUT"],
  // The name or the way was not found: in Lambda a hiccup of its network.
  ...["ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"],
]);
const TOO_MANY_REQUESTS = 429;

/** IAM refuses a right, or the credentials themselves. */
const DENIED =
  /^(?:kms\.?)?accessdenied|^expiredtoken|^unrecognizedclient|^invalid(?:clienttokenid|accesskeyid|signature)|^signaturedoesnotmatch|^requesttimetooskewed|^credentialsprovider/i;
const DENIED_STATUSES = [401, 403];

/** What stands in an answer may be no error of the service at all, but a page of whatever stands before it; the status says enough. */
const answered = z.object({ $metadata: z.object({ httpStatusCode: z.number() }) });
const statusOf = (error: Error): number =>
  answered.safeParse(error).data?.$metadata.httpStatusCode ?? 0;

/** Busy, broken, or failed on the service's side: another time it may go well. */
const isTransient = (error: Error): boolean =>
  BUSY.has(error.name) ||
  ("$fault" in error && error.$fault === "server") ||
  statusOf(error) >= 500 ||
  statusOf(error) === TOO_MANY_REQUESTS ||
  ("code" in error && typeof error.code === "string" && BROKEN_CONNECTIONS.has(error.code));

/** S3 answers a HEAD without a body, and so without a name of what is wrong. */
const isDenied = (error: Error): boolean =>
  DENIED.test(error.name) || DENIED_STATUSES.includes(statusOf(error));

/** The SDK's name for an error that has none. */
const NAMELESS = "Unknown";

const wordOf = (error: Error): string =>
  error.name === NAMELESS ? String(statusOf(error)) : error.name;

/**
 * A right that Hearth's own role lacks is no failure of a user's resource, and no tenant learns the role's name: the
 * message goes back, somebody looks, and once the role is mended the work goes on.
 */
export const classed = (error: unknown, command: string): unknown => {
  if (!(error instanceof Error)) return error;
  const message = `${command}: ${wordOf(error)}`;
  if (isTransient(error)) return new RetryLater(message, RETRY_AFTER_SECONDS, { cause: error });
  return isDenied(error) ? new Bug(message, { cause: error }) : error;
};
