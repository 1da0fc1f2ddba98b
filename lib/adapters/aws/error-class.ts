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
  "ECONNRESET",
  "ECONNREFUSED",
  "EPIPE",
  "ETIMEDOUT",
  // The host has no name or no route. In Lambda this is a short network failure.
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);
const TOO_MANY_REQUESTS = 429;

const DENIED =
  /^(?:kms\.?)?accessdenied|^expiredtoken|^unrecognizedclient|^invalid(?:clienttokenid|accesskeyid|signature)|^signaturedoesnotmatch|^requesttimetooskewed|^credentialsprovider/i;
const DENIED_STATUSES = [401, 403];

/**
 * A proxy in front of the service may answer with a page instead of an error, so only the status is
 * read.
 */
const answered = z.object({ $metadata: z.object({ httpStatusCode: z.number() }) });
const statusOf = (error: Error): number =>
  answered.safeParse(error).data?.$metadata.httpStatusCode ?? 0;

const isTransient = (error: Error): boolean =>
  BUSY.has(error.name) ||
  ("$fault" in error && error.$fault === "server") ||
  statusOf(error) >= 500 ||
  statusOf(error) === TOO_MANY_REQUESTS ||
  ("code" in error && typeof error.code === "string" && BROKEN_CONNECTIONS.has(error.code));

/** S3 answers a HEAD without a body, so its error has no name. */
const isDenied = (error: Error): boolean =>
  DENIED.test(error.name) || DENIED_STATUSES.includes(statusOf(error));

const NAMELESS = "Unknown";

const wordOf = (error: Error): string =>
  error.name === NAMELESS ? String(statusOf(error)) : error.name;

/**
 * If Hearth's own role lacks a permission, that is a Bug and not a failure of a user's resource.
 * The message returns to the queue, and the work continues once the role is fixed. The text does
 * not contain the role's name, so no tenant learns it.
 */
export const classed = (error: unknown, command: string): unknown => {
  if (!(error instanceof Error)) return error;
  const message = `${command}: ${wordOf(error)}`;
  if (isTransient(error)) return new RetryLater(message, RETRY_AFTER_SECONDS, { cause: error });
  return isDenied(error) ? new Bug(message, { cause: error }) : error;
};
