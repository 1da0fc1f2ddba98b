/**
 * Cloud Control through AWS's own client, under the role of a project. The client comes from an
 * optional package, which is loaded when the host starts with `--aws`.
 */
import type { ProgressEvent } from "@aws-sdk/client-cloudcontrol";
import * as z from "zod/mini";
import type { JsonObject } from "#provider/provider.ts";
import type { CloudControl, Progress } from "../client.ts";
import type { Role } from "./roles.ts";
import { sdkError } from "./sdk-errors.ts";

const SESSION_NAME_CHARS_MAX = 64;
const CONNECT_MS_MAX = 5_000;
const ANSWER_MS_MAX = 20_000;
/** Hearth repeats a call itself, and counts its time. */
const ATTEMPTS = 1;

const model = z.record(z.string(), z.json());

const ENDED: Readonly<Record<string, Progress["status"]>> = {
  SUCCESS: "succeeded",
  FAILED: "failed",
  CANCEL_COMPLETE: "failed",
};

const secondsUntil = (time: Date | undefined): number | null =>
  time === undefined ? null : Math.max(0, Math.ceil((time.getTime() - Date.now()) / 1_000));

const progressOf = (event: ProgressEvent | undefined): Progress => ({
  requestToken: event?.RequestToken ?? "",
  status: ENDED[event?.OperationStatus ?? ""] ?? "running",
  identifier: event?.Identifier ?? null,
  code: event?.ErrorCode ?? null,
  message: event?.StatusMessage ?? "",
  afterSeconds: secondsUntil(event?.RetryAfter),
});

/** When a call that was throttled or not answered is worth repeating. */
const AGAIN_SECONDS = 2;

/** How AWS's clients are asked, with their errors as those of the provider. */
const askingFor = (againSeconds: number) => ({
  asked: async <Found>(work: Promise<Found>): Promise<Found> => {
    try {
      return await work;
    } catch (error) {
      throw sdkError(error, againSeconds);
    }
  },
  /** Null if AWS answers with this error. */
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

const REQUESTS = { connectionTimeout: CONNECT_MS_MAX, requestTimeout: ANSWER_MS_MAX } as const;

/** The client asks again before the session ends. */
const sessionOf = async (
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

const textOf = (properties: JsonObject): string => JSON.stringify(properties);

/** `project`: for the name of its sessions. Throws if the package is not installed. */
export const openAccount = async (
  project: string,
  role: Role,
  againSeconds = AGAIN_SECONDS,
): Promise<CloudControl> => {
  const asking = askingFor(againSeconds);
  const { asked, orNull } = asking;
  const sdk = await import("@aws-sdk/client-cloudcontrol");
  const client = new sdk.CloudControlClient({
    region: role.region,
    credentials: await sessionOf(project, role, asking),
    maxAttempts: ATTEMPTS,
    requestHandler: REQUESTS,
  });
  return {
    create: async ({ type, model: properties, clientToken, signal }) => {
      const command = new sdk.CreateResourceCommand({
        TypeName: type,
        DesiredState: textOf(properties),
        ClientToken: clientToken,
      });
      return progressOf((await asked(client.send(command, { abortSignal: signal }))).ProgressEvent);
    },
    update: async ({ type, identifier, patch, clientToken, signal }) => {
      const command = new sdk.UpdateResourceCommand({
        TypeName: type,
        Identifier: identifier,
        PatchDocument: JSON.stringify(patch),
        ClientToken: clientToken,
      });
      return progressOf((await asked(client.send(command, { abortSignal: signal }))).ProgressEvent);
    },
    delete: async ({ type, identifier, clientToken, signal }) => {
      const command = new sdk.DeleteResourceCommand({
        TypeName: type,
        Identifier: identifier,
        ClientToken: clientToken,
      });
      return progressOf((await asked(client.send(command, { abortSignal: signal }))).ProgressEvent);
    },
    progress: async (requestToken, signal) => {
      const command = new sdk.GetResourceRequestStatusCommand({ RequestToken: requestToken });
      const sent = client.send(command, { abortSignal: signal });
      const found = await orNull(sent, "RequestTokenNotFoundException");
      return found && progressOf(found.ProgressEvent);
    },
    read: async (type, identifier, signal) => {
      const command = new sdk.GetResourceCommand({ TypeName: type, Identifier: identifier });
      const sent = client.send(command, { abortSignal: signal });
      const found = await orNull(sent, "ResourceNotFoundException");
      const text = found?.ResourceDescription?.Properties;
      return text === undefined ? null : model.parse(JSON.parse(text));
    },
    list: async (type, page, signal) => {
      const command = new sdk.ListResourcesCommand({
        TypeName: type,
        ...(page === null ? {} : { NextToken: page }),
      });
      const found = await asked(client.send(command, { abortSignal: signal }));
      const identifiers = (found.ResourceDescriptions ?? []).map(
        ({ Identifier = "" }) => Identifier,
      );
      return { identifiers, next: found.NextToken ?? null };
    },
  };
};

/** One client for each project of the file. */
export const openAccounts = async (
  roles: ReadonlyMap<string, Role>,
): Promise<ReadonlyMap<string, CloudControl>> =>
  new Map(
    await Promise.all(
      [...roles].map(
        async ([project, role]) => [project, await openAccount(project, role)] as const,
      ),
    ),
  );
