/**
 * Cloud Control through AWS's client, under the role of a project. The client is an optional
 * package, which the host loads when it starts with `--aws`.
 */
import type { ProgressEvent } from "@aws-sdk/client-cloudcontrol";
import * as z from "zod/mini";
import type { CloudControl, Progress } from "../client.ts";
import type { Role } from "./roles.ts";
import { AGAIN_SECONDS, ATTEMPTS, askingFor, REQUESTS, sessionOf } from "./session.ts";

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
  const begun = async (sent: Promise<{ ProgressEvent?: ProgressEvent | undefined }>) =>
    progressOf((await asked(sent)).ProgressEvent);
  return {
    create: ({ type, model: properties, clientToken, signal }) => {
      const command = new sdk.CreateResourceCommand({
        TypeName: type,
        DesiredState: JSON.stringify(properties),
        ClientToken: clientToken,
      });
      return begun(client.send(command, { abortSignal: signal }));
    },
    update: ({ type, identifier, patch, clientToken, signal }) => {
      const command = new sdk.UpdateResourceCommand({
        TypeName: type,
        Identifier: identifier,
        PatchDocument: JSON.stringify(patch),
        ClientToken: clientToken,
      });
      return begun(client.send(command, { abortSignal: signal }));
    },
    delete: ({ type, identifier, clientToken, signal }) => {
      const command = new sdk.DeleteResourceCommand({
        TypeName: type,
        Identifier: identifier,
        ClientToken: clientToken,
      });
      return begun(client.send(command, { abortSignal: signal }));
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
