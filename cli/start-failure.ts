/** Why a host did not start, in one sentence. A stack trace tells an operator nothing. */
import { NoTokens } from "#host/host.ts";
import { ReachRefused } from "#host/reach.ts";
import { TlsFilesUnusable } from "#host/tls-files.ts";
import { FolderRefused } from "#lib/adapters/sqlite/private-files.ts";
import { CommandFailed, EXIT_FAILED, EXIT_USAGE } from "./failure.ts";

/** What the user can do about each is in its text. */
const isExpected = (error: unknown): error is Error =>
  error instanceof FolderRefused ||
  error instanceof TlsFilesUnusable ||
  error instanceof ReachRefused;

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const reasonOf = (error: unknown, folder: string | null): string => {
  if (isExpected(error)) return error.message;
  if (error instanceof NoTokens) {
    return `${error.message} Make one: hearth token create --project NAME --data ${folder}`;
  }
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const address = error instanceof Error && "address" in error ? String(error.address) : "";
  const port = error instanceof Error && "port" in error ? String(error.port) : "";
  if (code === "EADDRINUSE") return `Port ${port} of ${address} is taken.`;
  if (code === "EADDRNOTAVAIL") return `${address} is no address of this machine.`;
  if (code === "EACCES") return `Hearth may not use this: ${String(error)}`;
  return `Hearth cannot start: ${textOf(error).replaceAll(/\s+/g, " ")}`;
};

export const startFailure = (error: unknown, folder: string | null): CommandFailed => {
  const exitCode = error instanceof ReachRefused ? EXIT_USAGE : EXIT_FAILED;
  return new CommandFailed(reasonOf(error, folder), exitCode, { cause: error });
};
