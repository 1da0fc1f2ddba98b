/** Why a host did not start, in one sentence. A stack trace tells an operator nothing. */
import { FolderRefused } from "#lib/adapters/sqlite/private-files.ts";
import { CommandFailed } from "./failure.ts";

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

const reasonOf = (error: unknown, port: number): string => {
  if (error instanceof FolderRefused) return error.message;
  switch (codeOf(error)) {
    case "EADDRINUSE":
      return `Port ${port} of 127.0.0.1 is taken.`;
    case "EACCES":
      return `Hearth may not use this: ${String(error)}`;
    default: {
      const text = error instanceof Error ? error.message : String(error);
      return `Hearth cannot start: ${text.replaceAll(/\s+/g, " ")}`;
    }
  }
};

export const startFailure = (error: unknown, port: number): CommandFailed =>
  new CommandFailed(reasonOf(error, port), undefined, { cause: error });
