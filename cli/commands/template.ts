/** template validate: lets the engine check a template before a stack is made of it. */
import type { Command } from "commander";
import { z } from "zod";
import { ValidateAnswer } from "#client/wire.ts";
import { collectFiles } from "../files.ts";
import { collect, readParameters } from "../follow.ts";
import { tableLines, valueText } from "../print.ts";
import { openSession, readOptions } from "../session.ts";

const ValidateOptions = z.object({
  template: z.string(),
  environment: z.array(z.string()).default([]),
  parameter: z.array(z.string()).default([]),
});

export const addTemplateCommands = (program: Command): void => {
  program
    .command("template")
    .summary("templates")
    .command("validate")
    .summary("check a template and list its parameters")
    .requiredOption("-t, --template <file>", "the template")
    .option(
      "-e, --environment <file>",
      "an environment; may be repeated, the last one wins",
      collect,
    )
    .option("--parameter <name=value>", "a parameter; may be repeated, environments win", collect)
    .action(validate);
};

const validate = async (_options: unknown, command: Command): Promise<void> => {
  const session = openSession(command);
  const { template, environment, parameter } = readOptions(ValidateOptions, command);
  const body = { ...collectFiles(template, environment), parameters: readParameters(parameter) };
  const answer = await session.client.request("POST", "/validate", ValidateAnswer, body);
  session.print(answer, () => {
    const rows = Object.entries(answer.Parameters).map(([name, { Default, Description, Type }]) => [
      name,
      Type,
      Default === undefined ? "(required)" : valueText(Default),
      Description,
    ]);
    const table =
      rows.length === 0 ? [] : tableLines(["PARAMETER", "TYPE", "DEFAULT", "DESCRIPTION"], rows);
    return ["The template is valid.", ...table];
  });
};
