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

/** Commander prints its own errors. Help that the user asked for has the exit code 0. */
const exitCodeOf = async (error: unknown): Promise<number> => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  const isExpected =
    error instanceof CommandFailed || error instanceof ClientError || error instanceof RequestError;
  if (!isExpected) throw error;
  const { printable } = await import("./print.ts");
  const exitCode = error instanceof CommandFailed ? error.exitCode : EXIT_FAILED;
  // Ctrl-C is what the user wanted, and no error.
  const start = exitCode === EXIT_INTERRUPTED ? "" : "ERROR: ";
  process.stderr.write(`${start}${printable(error.message)}\n`);
  return exitCode;
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
