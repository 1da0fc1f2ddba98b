#!/usr/bin/env node
/**
 * The command line. Exit codes: 0 done, 1 failed (the reason is on standard error), 2 wrong usage,
 * 130 Ctrl-C, 141 the reader of standard output has gone.
 */
import { Command, CommanderError, Option } from "commander";
import { ClientError } from "#client/errors.ts";
import { RequestError } from "#lib/errors.ts";
import { unverifiedTls } from "../agent/tls-verification.ts";
import manifest from "../package.json" with { type: "json" };
import { readAuthority, trustOnly } from "./certificate-authority.ts";
import { addAwsCommands } from "./commands/aws.ts";
import { addBackupCommands } from "./commands/backup.ts";
import { addDemoCommand } from "./commands/demo.ts";
import { addDeploymentCommands } from "./commands/deployment.ts";
import { addDoctorCommand } from "./commands/doctor.ts";
import { addKeysCommands } from "./commands/keys.ts";
import { addHostCommands } from "./commands/long-running.ts";
import { addProviderCommands } from "./commands/provider.ts";
import { addPurgeCommand } from "./commands/purge.ts";
import { addServerCommands } from "./commands/server.ts";
import { addActionCommands } from "./commands/stack-actions.ts";
import { addDocumentCommands } from "./commands/stack-documents.ts";
import { addPlanCommands } from "./commands/stack-plan.ts";
import { addReadingCommands } from "./commands/stack-reading.ts";
import { addResourceCommands } from "./commands/stack-resources.ts";
import { addTargetCommands } from "./commands/stack-target.ts";
import { addTemplateCommands } from "./commands/template.ts";
import { addTokenCommands } from "./commands/token.ts";
import { badUsage, CommandFailed, EXIT_FAILED, EXIT_USAGE } from "./failure.ts";
import { printable } from "./print.ts";
import { hideSqliteWarning } from "./sqlite-warning.ts";

/** Beside the longest command there is so much room on a terminal of 80 columns. */
const HELP_COLUMNS_MIN = 20;

const buildProgram = (): Command => {
  // A command copies these settings from its parent when it is added.
  const program = new Command("hearth").exitOverride().showHelpAfterError(false);
  program
    .configureHelp({ minWidthToWrap: HELP_COLUMNS_MIN })
    .version(manifest.version)
    .description("Stacks of resources from HOT templates, converged on cloud functions.")
    .addOption(
      new Option("--endpoint <url>", "the URL of Hearth")
        .env("HEARTH_ENDPOINT")
        .default("http://127.0.0.1:8004"),
    )
    .addOption(new Option("--project <name>", "the tenant").env("HEARTH_PROJECT").default("demo"))
    .addOption(new Option("--token <token>", "sent as X-Auth-Token").env("HEARTH_TOKEN"))
    .addOption(
      new Option("--ca-file <file>", "the authority of Hearth's certificate, as PEM").env(
        "HEARTH_CA_FILE",
      ),
    )
    .option("--json", "print nothing but the answer, as JSON")
    .hook("preAction", trustGivenAuthority);
  addDemoCommand(program);
  addHostCommands(program);
  addBackupCommands(program);
  addKeysCommands(program);
  addDoctorCommand(program);
  addPurgeCommand(program);
  const stack = program.command("stack").summary("stacks");
  addTargetCommands(stack);
  addPlanCommands(stack);
  addActionCommands(stack);
  addReadingCommands(stack);
  addDocumentCommands(stack);
  addResourceCommands(stack);
  addTemplateCommands(program);
  addServerCommands(program);
  addDeploymentCommands(program);
  addTokenCommands(program);
  addProviderCommands(program);
  addAwsCommands(program);
  describeAll(program);
  return program;
};

/** The help of a command says what it does, in the words of its parent's list. */
const describeAll = (parent: Command): void => {
  for (const command of parent.commands) {
    const summary = command.summary();
    if (command.description() === "" && summary !== "") {
      command
        .summary(summary)
        .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`);
    }
    describeAll(command);
  }
};

const trustGivenAuthority = (program: Command): void => {
  const { caFile } = program.opts<{ caFile?: string }>();
  const isFromEnvironment = program.getOptionValueSource("caFile") === "env";
  // An empty variable is as none. A script whose variable is unset gives an empty option.
  if (caFile === "" && !isFromEnvironment) throw badUsage("--ca-file is empty");
  if (caFile) trustOnly(readAuthority(caFile, isFromEnvironment ? "HEARTH_CA_FILE" : "--ca-file"));
};

/** Commander prints its own errors; help that the user asked for is not one. */
const exitCodeOf = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  const isExpected =
    error instanceof CommandFailed || error instanceof ClientError || error instanceof RequestError;
  if (!isExpected) throw error;
  process.stderr.write(`ERROR: ${printable(error.message)}\n`);
  return error instanceof CommandFailed ? error.exitCode : EXIT_FAILED;
};

const run = async (): Promise<void> => {
  hideSqliteWarning();
  try {
    const refusal = unverifiedTls(process.env);
    if (refusal !== null) throw badUsage(refusal);
    await buildProgram().parseAsync();
  } catch (error) {
    process.exitCode = exitCodeOf(error);
  }
};

// The single file is a CommonJS script, which cannot wait at its top level.
void run();
