/** Assumes the role of a project. AWS's clients use the result as their credentials. */
import * as z from "zod/mini";
import { Refused, TryAgain } from "../client.ts";
import type { Role } from "./roles.ts";

const SESSION_NAME_CHARS_MAX = 64;
const CONNECT_MS_MAX = 5_000;
const ANSWER_MS_MAX = 20_000;
/** Hearth repeats calls itself and limits their time. */
export const ATTEMPTS = 1;
export const REQUESTS = {
  connectionTimeout: CONNECT_MS_MAX,
  requestTimeout: ANSWER_MS_MAX,
} as const;

export const AGAIN_SECONDS = 2;

export const askingFor = (againSeconds: number) => ({
  asked: async <Found>(work: Promise<Found>): Promise<Found> => {
    try {
      return await work;
    } catch (error) {
      throw sdkError(error, againSeconds);
    }
  },
  orNull: async <Found>(work: Promise<Found>, name: string): Promise<Found | null> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof Error && error.name === name) return null;
      throw sdkError(error, againSeconds);
    }
  },
});

type Asking = ReturnType<typeof askingFor>;

const sessionName = (project: string): string =>
  `hearth-${project.replaceAll(/[^\w+=,.@-]/g, "-")}`.slice(0, SESSION_NAME_CHARS_MAX);

export const sessionOf = async (
  project: string,
  { role_arn, external_id, region }: Role,
  { asked }: Asking,
) => {
  const { AssumeRoleCommand, STSClient } = await import("@aws-sdk/client-sts");
  const sts = new STSClient({ region, maxAttempts: ATTEMPTS, requestHandler: REQUESTS });
  return async () => {
    const command = new AssumeRoleCommand({
      RoleArn: role_arn,
      RoleSessionName: sessionName(project),
      ...(external_id === undefined ? {} : { ExternalId: external_id }),
    });
    const { Credentials: given } = await asked(sts.send(command));
    return {
      accessKeyId: given?.AccessKeyId ?? "",
      secretAccessKey: given?.SecretAccessKey ?? "",
      sessionToken: given?.SessionToken ?? "",
      ...(given?.Expiration === undefined ? {} : { expiration: given.Expiration }),
    };
  };
};

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
