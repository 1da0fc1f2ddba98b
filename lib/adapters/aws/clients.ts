/**
 * The SDK's clients. They retry what is throttled or broken, with backoff; what is left of it becomes a RetryLater here and
 * nowhere else, and what a service refuses to Hearth itself a Bug.
 */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { S3Client } from "@aws-sdk/client-s3";
import { SQSClient } from "@aws-sdk/client-sqs";
import type { Pluggable } from "@smithy/types";
import * as z from "zod";
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
  "TimeoutError",
  "RequestTimeout",
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

/** An answer to HEAD has no body, and so no name of what is wrong. */
const isDenied = (error: Error): boolean =>
  DENIED.test(error.name) || DENIED_STATUSES.includes(statusOf(error));

/**
 * A right that Hearth's own role lacks is no failure of a user's resource, and no tenant learns the role's name: the
 * message goes back, somebody looks, and once the role is mended the work goes on.
 */
const classed = (error: unknown, command: string): unknown => {
  if (!(error instanceof Error)) return error;
  const message = `${command}: ${error.name}`;
  if (isTransient(error)) return new RetryLater(message, RETRY_AFTER_SECONDS, { cause: error });
  return isDenied(error) ? new Bug(message, { cause: error }) : error;
};

/** For a client's middleware stack. */
export const classing = <Input extends object, Output extends object>(): Pluggable<
  Input,
  Output
> => ({
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
  const { region, endpoint, credentials, attemptsMax = ATTEMPTS_MAX } = connection;
  const at = (service: "dynamodb" | "sqs" | "s3") => ({
    region,
    maxAttempts: attemptsMax,
    requestHandler: { connectionTimeout: CONNECTION_MS_MAX, requestTimeout: REQUEST_MS_MAX },
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
