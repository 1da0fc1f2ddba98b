import type { Command } from "commander";
import { CommandFailed } from "../failure.ts";

type Program = (args: string[]) => Promise<number>;

export const addAwsCommands = (program: Command): void => {
  const aws = program.command("aws");
  programCommand(aws, "api-token", "make or revoke the token of a project", async () => {
    const { apiToken } = await import("../../../infra/api-token.ts");
    return apiToken;
  });
  programCommand(aws, "check", "say what an account lacks for a deployment", async () => {
    const { check } = await import("../../../infra/check.ts");
    return check;
  });
  programCommand(aws, "replay", "play what an outage has set aside", async () => {
    const { replay } = await import("../../../infra/replay.ts");
    return replay;
  });
  programCommand(aws, "restore", "give a fresh stage the keys and data of another", async () => {
    const { restore } = await import("../../../infra/restore.ts");
    return restore;
  });
};

/** The program parses its own arguments: its `--project` is not that of the connection. */
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

const PACKAGES = [
  "api-gateway",
  "cloudformation",
  "dynamodb",
  "dynamodb-streams",
  "iam",
  "lambda",
  "s3",
  "secrets-manager",
  "sqs",
  "sts",
]
  .map((service) => `@aws-sdk/client-${service}`)
  .join(" ");

const missingPackage = (error: unknown): CommandFailed | null => {
  const name = missingAwsPackage(error);
  if (name === null) return null;
  const text = `The aws commands need ${name}: npm install --global ${PACKAGES}`;
  return new CommandFailed(text, undefined, { cause: error });
};

/** What Node says of a missing package; the last one in a single executable. */
const MISSING =
  /(?:Cannot find (?:package|module) '|No such built-in module: )(@aws-sdk\/[a-z0-9-]+)/;

/** The package of the AWS SDK that an import did not find. Null for any other error. */
export const missingAwsPackage = (error: unknown): string | null =>
  MISSING.exec(error instanceof Error ? error.message : "")?.[1] ?? null;
