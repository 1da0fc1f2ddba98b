/** Assumes the role of a project. AWS's clients use the result as their credentials. */
import type { Role } from "./roles.ts";
import { sdkError } from "./sdk-errors.ts";

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
