/** Classes the errors of the AWS SDK: retry later, a bug for the operator, or the error itself. */
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
  // No name or no route: in Lambda a short failure of its network.
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);
const TOO_MANY_REQUESTS = 429;

/** IAM refuses the permission or the credentials. */
const DENIED =
  /^(?:kms\.?)?accessdenied|^expiredtoken|^unrecognizedclient|^invalid(?:clienttokenid|accesskeyid|signature)|^signaturedoesnotmatch|^requesttimetooskewed|^credentialsprovider/i;
const DENIED_STATUSES = [401, 403];

/**
 * A proxy in front of the service may answer with a page instead of an error. The status is enough.
 */
const answered = z.object({ $metadata: z.object({ httpStatusCode: z.number() }) });
const statusOf = (error: Error): number =>
  answered.safeParse(error).data?.$metadata.httpStatusCode ?? 0;

/** The service is busy, the connection broke, or the service failed. A retry may succeed. */
const isTransient = (error: Error): boolean =>
  BUSY.has(error.name) ||
  ("$fault" in error && error.$fault === "server") ||
  statusOf(error) >= 500 ||
  statusOf(error) === TOO_MANY_REQUESTS ||
  ("code" in error && typeof error.code === "string" && BROKEN_CONNECTIONS.has(error.code));

/** S3 answers a HEAD without a body, so the error has no name. */
const isDenied = (error: Error): boolean =>
  DENIED.test(error.name) || DENIED_STATUSES.includes(statusOf(error));

/** The SDK's name for an error without a name. */
const NAMELESS = "Unknown";

const wordOf = (error: Error): string =>
  error.name === NAMELESS ? String(statusOf(error)) : error.name;

/**
 * A permission that Hearth's own role lacks is a Bug, not a failure of a user's resource. The
 * message goes back to the queue, and the work continues once the role is fixed. No tenant learns
 * the role's name.
 */
export const classed = (error: unknown, command: string): unknown => {
  if (!(error instanceof Error)) return error;
  const message = `${command}: ${wordOf(error)}`;
  if (isTransient(error)) return new RetryLater(message, RETRY_AFTER_SECONDS, { cause: error });
  return isDenied(error) ? new Bug(message, { cause: error }) : error;
};
