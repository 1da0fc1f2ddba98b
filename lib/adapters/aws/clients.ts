/**
 * The SDK's clients. They retry throttled requests and broken connections with backoff. Errors that
 * remain are classified below.
 */

import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { S3Client } from "@aws-sdk/client-s3";
import { SQSClient } from "@aws-sdk/client-sqs";
import type { Pluggable } from "@smithy/types";
import * as z from "zod";
import { Bug, RetryLater } from "#lib/errors.ts";

export interface AwsConnection {
  readonly region: string;
  readonly endpoint?: string | { readonly [Service in "dynamodb" | "sqs" | "s3"]: string };
  /** Without credentials, the SDK's own chain is used. In Lambda that is the function's role. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly attemptsMax?: number;
  readonly requestMsMax?: number;
  readonly meter?: RequestMeter;
}

export type AwsService = "dynamodb" | "sqs" | "s3";

export interface RequestMeter {
  counting<Input extends object, Output extends object>(
    service: AwsService,
  ): Pluggable<Input, Output>;
}

export interface AwsClients {
  readonly dynamo: DynamoDBClient;
  readonly sqs: SQSClient;
  readonly s3: S3Client;
  close(): void;
}

const ATTEMPTS_MAX = 6;
/** This middleware copies each input and each answer, even for a logger that writes nothing. */
const LOGGER = "loggerMiddleware";
const CONNECTION_MS_MAX = 2_000;
const REQUEST_MS_MAX = 10_000;

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

const waitingAtMost = (requestMsMax = REQUEST_MS_MAX) => ({
  connectionTimeout: CONNECTION_MS_MAX,
  requestTimeout: requestMsMax,
  // Otherwise the SDK only logs a warning and waits for minutes, longer than a visit may take.
  throwOnRequestTimeout: true,
});

/**
 * Options for every other AWS client: the platform's region, and an emulator's endpoint if there is
 * one. A timeout prevents a service that never answers from using up the function's time.
 */
export const clientOptions = ({
  region,
  endpoint,
}: {
  readonly region: string;
  readonly endpoint?: string;
}) => ({
  region,
  requestHandler: waitingAtMost(),
  ...(endpoint === undefined ? {} : { endpoint }),
});

export const openClients = (connection: AwsConnection): AwsClients => {
  const { region, endpoint, credentials, meter } = connection;
  const { attemptsMax = ATTEMPTS_MAX, requestMsMax = REQUEST_MS_MAX } = connection;
  const at = (service: AwsService) => ({
    region,
    maxAttempts: attemptsMax,
    requestHandler: waitingAtMost(requestMsMax),
    ...(endpoint && { endpoint: typeof endpoint === "string" ? endpoint : endpoint[service] }),
    ...(credentials && { credentials }),
  });
  const dynamo = new DynamoDBClient(at("dynamodb"));
  const sqs = new SQSClient(at("sqs"));
  // Emulators lack host names for buckets and the newer checksums.
  const s3 = new S3Client({
    ...at("s3"),
    ...(endpoint && { forcePathStyle: true, requestChecksumCalculation: "WHEN_REQUIRED" }),
  });
  for (const { middlewareStack } of [dynamo, sqs, s3]) middlewareStack.remove(LOGGER);
  dynamo.middlewareStack.use(classing());
  sqs.middlewareStack.use(classing());
  s3.middlewareStack.use(classing());
  if (meter !== undefined) {
    dynamo.middlewareStack.use(meter.counting("dynamodb"));
    sqs.middlewareStack.use(meter.counting("sqs"));
    s3.middlewareStack.use(meter.counting("s3"));
  }
  return {
    dynamo,
    sqs,
    s3,
    close: () => {
      for (const client of [dynamo, sqs, s3]) client.destroy();
    },
  };
};

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
const classed = (error: unknown, command: string): unknown => {
  if (!(error instanceof Error)) return error;
  const message = `${command}: ${wordOf(error)}`;
  if (isTransient(error)) return new RetryLater(message, RETRY_AFTER_SECONDS, { cause: error });
  return isDenied(error) ? new Bug(message, { cause: error }) : error;
};
