/**
 * The SDK's clients. They retry what is throttled or broken, with backoff; what is left of it becomes a RetryLater here and
 * nowhere else, and what a service refuses to Hearth itself a Bug.
 */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { S3Client, S3ServiceException } from "@aws-sdk/client-s3";
import { SQSClient } from "@aws-sdk/client-sqs";
import type { Pluggable } from "@smithy/types";
import { Bug, RetryLater } from "#lib/errors.ts";
import type { UsageCounter } from "./usage.ts";

export interface AwsConnection {
  readonly region: string;
  /** Of an emulator. One address for all services, or one each; absent: AWS itself. */
  readonly endpoint?: string | { readonly [Service in "dynamodb" | "sqs" | "s3"]: string };
  /** Absent: the SDK's own chain, which in Lambda is the function's role. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** How often a request is tried before it becomes a RetryLater; absent: ATTEMPTS_MAX. */
  readonly attemptsMax?: number;
  /** How long one try may wait for its answer; absent: REQUEST_MS_MAX. */
  readonly requestMsMax?: number;
}

export interface AwsClients {
  readonly dynamo: DynamoDBClient;
  readonly sqs: SQSClient;
  readonly s3: S3Client;
  close(): void;
}

const ATTEMPTS_MAX = 6;
const CONNECTION_MS_MAX = 2_000;
const REQUEST_MS_MAX = 10_000;
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
const BROKEN_CONNECTIONS = new Set(["ECONNRESET", "ECONNREFUSED", "EPIPE", "ETIMEDOUT"]);

/** IAM refuses a right, or the credentials themselves. */
const DENIED =
  /^(?:kms\.?)?accessdenied|^expiredtoken|^unrecognizedclient|^invalid(?:clienttokenid|accesskeyid|signature)|^signaturedoesnotmatch/i;

/** S3 answers a HEAD without a body, so that nothing but the status tells that a right is missing. */
const FORBIDDEN = 403;

const statusOf = (error: Error): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;

const isDenied = (error: Error): boolean =>
  DENIED.test(error.name) || statusOf(error) === FORBIDDEN;

/** The SDK's name for an error that has none. */
const NAMELESS = "Unknown";

const wordOf = (error: Error): string =>
  error.name === NAMELESS ? String(statusOf(error) ?? NAMELESS) : error.name;

/** Busy, broken, or failed on the service's side: another time it may go well. */
const isTransient = (error: Error): boolean =>
  BUSY.has(error.name) ||
  ("$fault" in error && error.$fault === "server") ||
  ("code" in error && typeof error.code === "string" && BROKEN_CONNECTIONS.has(error.code));

/**
 * A right that Hearth's own role lacks is no failure of a user's resource, and no tenant learns the role's name: the
 * message goes back, somebody looks, and once the role is mended the work goes on.
 */
const classed = (error: unknown, command: string): unknown => {
  if (!(error instanceof Error)) return error;
  const message = `${command}: ${wordOf(error)}`;
  if (isTransient(error)) return new RetryLater(message, RETRY_AFTER_SECONDS, { cause: error });
  return isDenied(error) ? new Bug(message, { cause: error }) : error;
};

const classing = <Input extends object, Output extends object>(): Pluggable<Input, Output> => ({
  applyToStack: (stack) => {
    stack.add(
      (next, context) => async (args) => {
        try {
          return await next(args);
        } catch (error) {
          throw classed(error, String(context.commandName));
        }
      },
      { step: "initialize", priority: "high", name: "hearthErrorClass" },
    );
  },
});

export const openClients = (connection: AwsConnection, usage: UsageCounter): AwsClients => {
  const { region, endpoint, credentials } = connection;
  const { attemptsMax = ATTEMPTS_MAX, requestMsMax = REQUEST_MS_MAX } = connection;
  const at = (service: "dynamodb" | "sqs" | "s3") => ({
    region,
    maxAttempts: attemptsMax,
    requestHandler: {
      connectionTimeout: CONNECTION_MS_MAX,
      requestTimeout: requestMsMax,
      // Otherwise the SDK writes a warning and waits on, for minutes, which no visit has.
      throwOnRequestTimeout: true,
    },
    ...(endpoint && { endpoint: typeof endpoint === "string" ? endpoint : endpoint[service] }),
    ...(credentials && { credentials }),
  });
  const dynamo = new DynamoDBClient(at("dynamodb"));
  const sqs = new SQSClient(at("sqs"));
  // Emulators have no bucket host names, and no checksums of the newer kinds.
  const s3 = new S3Client({
    ...at("s3"),
    ...(endpoint && { forcePathStyle: true, requestChecksumCalculation: "WHEN_REQUIRED" }),
  });
  dynamo.middlewareStack.use(classing());
  dynamo.middlewareStack.use(usage.counting("dynamodb"));
  sqs.middlewareStack.use(classing());
  sqs.middlewareStack.use(usage.counting("sqs"));
  s3.middlewareStack.use(classing());
  s3.middlewareStack.use(usage.counting("s3"));
  return {
    dynamo,
    sqs,
    s3,
    close: () => {
      for (const client of [dynamo, sqs, s3]) client.destroy();
    },
  };
};
