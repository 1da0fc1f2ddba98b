/** template validate: lets the engine check a template before a stack is made of it. */
import type { Command } from "commander";
import { ValidateAnswer } from "#client/wire.ts";
import { tableLines, valueText } from "../print.ts";
import { openSession, readOptions } from "../session.ts";
import { addTemplateOptions, TemplateOptions, templateBody } from "../template-options.ts";

export const addTemplateCommands = (program: Command): void => {
  const template = program.command("template").summary("templates");
  addTemplateOptions(template.command("validate"))
    .summary("check a template and list its parameters")
    .action(validate);
};

const validate = async (_options: unknown, command: Command): Promise<void> => {
  const session = openSession(command);
  const body = templateBody(readOptions(TemplateOptions, command));
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
