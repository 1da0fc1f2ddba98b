import { equal, match, ok } from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { blocksOf } from "../../integration/documents/document-blocks.ts";
import { commandsWithoutOutput } from "../../integration/documents/page-commands.ts";
import { runInShell } from "../../integration/documents/page-shell.ts";
import { pythonProgram } from "../../lanes/python-program.ts";
import { emulatorVariables } from "../deployment.ts";
import type { Story } from "../lane.ts";

const PAGE = fileURLToPath(new URL("../../../docs/operations.md", import.meta.url));
const DATA = fileURLToPath(new URL("../../../.data", import.meta.url));
const VERSION = "1.45.11";
const MESSAGE = "a message that was given up";

const commands = (): readonly string[] =>
  commandsWithoutOutput(blocksOf(readFileSync(PAGE, "utf8"))).filter((command) =>
    command.startsWith("aws "),
  );

export const operatorsCommands = (certificate: string | undefined): Story => ({
  name: "AWS's command line runs the commands that the operators' page has for it",
  play: async ({ endpoint, say }) => {
    const venv = join(DATA, `awscli-${VERSION}`);
    const program = await pythonProgram(venv, `awscli==${VERSION}`, "aws");
    const folder = freshFolder();
    const environment = {
      ...emulatorVariables(endpoint),
      HOME: folder,
      ...(certificate === undefined ? {} : { AWS_CA_BUNDLE: certificate }),
    };
    // For `aws sqs`, the command ignores AWS_ENDPOINT_URL.
    const run = async (command: string): Promise<string> => {
      const path = `export PATH="${dirname(program)}${delimiter}$PATH"\n`;
      const named = command.replace(/^aws sqs/, 'aws --endpoint-url "$AWS_ENDPOINT_URL" sqs');
      const { code, printed } = await runInShell(folder, environment, `${path}${named}`);
      equal(code, 0, `${command}: ${printed}`);
      return printed;
    };
    const own = `operators-${crypto.randomUUID()}`;
    try {
      writeFileSync(join(folder, "secret"), "secret");
      const queue = JSON.parse(await run(`aws sqs create-queue --queue-name ${own}`)).QueueUrl;
      await run(`aws sqs send-message --queue-url ${queue} --message-body '${MESSAGE}'`);
      await run(`aws s3api create-bucket --bucket ${own}`);
      const waiting = async (): Promise<number> => {
        const words = "--attribute-names ApproximateNumberOfMessages";
        const text = await run(`aws sqs get-queue-attributes --queue-url ${queue} ${words}`);
        return Number(JSON.parse(text).Attributes.ApproximateNumberOfMessages);
      };
      const all = commands();
      ok(all.length >= 5, `the page has ${all.length} commands`);
      for (const command of all) {
        const printed = await run(
          command
            .replaceAll("<GivenUpQueueUrl>", queue)
            .replaceAll("<BlobsBucket>", own)
            .replaceAll("<stage>", "calm")
            .replace("--name files", `--name ${own}`),
        );
        if (!command.startsWith("aws sqs")) continue;
        if (command.includes("receive-message")) match(printed, new RegExp(MESSAGE));
        equal(await waiting(), command.includes("purge-queue") ? 0 : 1);
      }
      say(`${all.length} commands of AWS's command line`);
      await run(`aws sqs delete-queue --queue-url ${queue}`);
      await run(`aws s3api delete-bucket --bucket ${own}`);
      await run(
        `aws secretsmanager delete-secret --secret-id ${own} --force-delete-without-recovery`,
      );
    } finally {
      removeFolder(folder);
    }
  },
});
