import { NoTokens } from "#host/host.ts";
import { PluginRefused } from "#host/plugins/remote-plugin.ts";
import { ReachRefused } from "#host/reach.ts";
import { TlsFilesUnusable } from "#host/tls-files.ts";
import { FolderRefused } from "#lib/adapters/sqlite/folder/private-files.ts";
import { NoEngine } from "#providers/docker/engine/address.ts";
import { OperatorFileRefused } from "#providers/operator-file.ts";
import { CommandFailed, EXIT_FAILED, EXIT_USAGE, textOf } from "../failure.ts";

const asSentence = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return /[.!?]$/.test(line) ? line : `${line}.`;
};

const systemReason = (error: unknown): string => {
  const general = asSentence(`Hearth cannot start: ${textOf(error)}`);
  if (!(error instanceof Error) || !("code" in error)) return general;
  const address = "address" in error ? String(error.address) : "";
  const port = "port" in error ? String(error.port) : "";
  switch (error.code) {
    case "EADDRINUSE":
      return `Port ${port} of ${address} is taken.`;
    case "EADDRNOTAVAIL":
      return `${address} is not an address of this machine.`;
    case "EACCES":
      return `Hearth may not use this: ${String(error)}`;
    default:
      return general;
  }
};

const reasonOf = (error: unknown, folder: string | null): string => {
  if (error instanceof NoTokens)
    return `${error.message} Make one: hearth token create --project NAME --data ${folder}`;
  const isOurs =
    error instanceof FolderRefused ||
    error instanceof TlsFilesUnusable ||
    error instanceof PluginRefused ||
    error instanceof NoEngine ||
    error instanceof OperatorFileRefused ||
    error instanceof ReachRefused;
  return isOurs ? error.message : systemReason(error);
};

/** In these cases the operator has given something wrong. Other failures may pass by themselves. */
const isUsage = (error: unknown): boolean =>
  error instanceof ReachRefused ||
  error instanceof TlsFilesUnusable ||
  error instanceof OperatorFileRefused ||
  error instanceof PluginRefused;

export const startFailure = (error: unknown, folder: string | null): CommandFailed =>
  new CommandFailed(reasonOf(error, folder), isUsage(error) ? EXIT_USAGE : EXIT_FAILED, {
    cause: error,
  });
