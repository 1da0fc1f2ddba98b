#!/usr/bin/env node
/**
 * The command line. Exit codes: 0 done, 1 failed (the reason is on standard error), 2 wrong usage,
 * 130 Ctrl-C, 141 the reader of standard output has gone.
 */
import { CommanderError } from "commander";
import { ClientError } from "#client/errors.ts";
import { RequestError } from "#lib/errors.ts";
import { unverifiedTls } from "../agent/tls-verification.ts";
import { badUsage, CommandFailed, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_USAGE } from "./failure.ts";
import { programFor } from "./program.ts";

/**
 * Node 22 and 24 warn on standard error when `node:sqlite` is loaded. Users can do nothing about
 * that, so this warning alone is suppressed.
 */
const hideSqliteWarning = (): void => {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning: string | Error, ...details: readonly unknown[]): void => {
    const isAboutSqlite =
      typeof warning === "string" && warning.startsWith("SQLite is an experimental feature");
    if (!isAboutSqlite) Reflect.apply(emitWarning, process, [warning, ...details]);
  };
};

/** Help that the user asked for has the exit code 0. */
const exitCodeOf = async (error: unknown): Promise<number> => {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const isExpected =
    error instanceof CommanderError ||
    error instanceof CommandFailed ||
    error instanceof ClientError ||
    error instanceof RequestError;
  if (!isExpected) throw error;
  const exitCode =
    error instanceof CommanderError
      ? EXIT_USAGE
      : error instanceof CommandFailed
        ? error.exitCode
        : EXIT_FAILED;
  await tell(error, exitCode);
  return exitCode;
};

/** Standard output may have a document already, so the error is on standard error as JSON too. */
const tell = async (error: Error, exit_code: number): Promise<void> => {
  const { hangingLines, maskedJsonText, printable } = await import("./print.ts");
  const { message } = error;
  if (process.argv.includes("--json")) {
    const known = error instanceof RequestError ? { code: error.code, status: error.status } : {};
    const document = { error: { message: message.replace(/^error: /, ""), ...known }, exit_code };
    process.stderr.write(`${maskedJsonText(document, 0)}\n`);
    return;
  }
  // Commander has printed its own error.
  if (error instanceof CommanderError) return;
  const width = process.stderr.isTTY ? process.stderr.columns : Number.POSITIVE_INFINITY;
  // Ctrl-C is what the user wanted, and no error.
  const start = exit_code === EXIT_INTERRUPTED ? "" : "ERROR: ";
  const lines = `${start}${printable(message)}`.split("\n");
  process.stderr.write(`${lines.flatMap((line) => hangingLines(line, width)).join("\n")}\n`);
};

const run = async (): Promise<void> => {
  hideSqliteWarning();
  try {
    const refusal = unverifiedTls(process.env);
    if (refusal !== null) throw badUsage(refusal);
    const program = await programFor(process.argv.slice(2));
    await program.parseAsync();
  } catch (error) {
    process.exitCode = await exitCodeOf(error);
  }
};

// The single file is a CommonJS script, which allows no await at its top level.
void run();
