/**
 * hearth aws: the operators' programs for a deployment on AWS. Only they need the AWS SDK, which
 * is an optional peer of the package.
 */
import type { Command } from "commander";
import { CommandFailed } from "../failure.ts";

type Program = (args: string[]) => Promise<number>;

export const addAwsCommands = (program: Command): void => {
  const aws = program.command("aws").summary("operate a deployment on AWS, with its credentials");
  programCommand(aws, "api-token", "make or revoke the token of a project", async () => {
    const { apiToken } = await import("../../infra/api-token.ts");
    return apiToken;
  });
  programCommand(aws, "restore", "give a fresh stage the keys and data of another", async () => {
    const { restore } = await import("../../infra/restore.ts");
    return restore;
  });
};

/**
 * The program reads its own arguments: its `--project` is not the one of the client's connection.
 */
const programCommand = (
  parent: Command,
  name: string,
  summary: string,
  load: () => Promise<Program>,
): void => {
  parent
    .command(name)
    .summary(summary)
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async () => {
      const run = await load().catch((error: unknown) => {
        throw missingPackage(error) ?? error;
      });
      const words = process.argv.slice(2);
      process.exitCode = await run(words.slice(words.indexOf(name) + 1));
    });
};

/** The ES loader and CommonJS name the missing package in the same way. */
const MISSING = /Cannot find (?:package|module) '(@aws-sdk\/[^']+)'/;

const missingPackage = (error: unknown): CommandFailed | null => {
  const [, name] = MISSING.exec(error instanceof Error ? error.message : "") ?? [];
  if (name === undefined) return null;
  const packages = ["client-dynamodb", "client-s3", "client-secrets-manager"];
  const names = packages.map((one) => `@aws-sdk/${one}`).join(" ");
  const text = `The aws commands need ${name}, which is not here: npm install --global ${names}`;
  return new CommandFailed(text, undefined, { cause: error });
};
