/** What a template says, before a stack is made of it. */

import { type Command, Option } from "commander";
import { z } from "zod";
import { PreviewAnswer, ValidateAnswer } from "#client/wire.ts";
import { templateGraph } from "#lib/authoring/template-graph.ts";
import { RequestError } from "#lib/errors.ts";
import { CommandFailed } from "../failure.ts";
import { tableLines, valueText } from "../print.ts";
import { resolvedLines } from "../resolved-template.ts";
import { openSession, printer, readOptions } from "../session.ts";
import { dotLines, mermaidLines } from "../template-graph.ts";
import {
  addInputOptions,
  addTemplateOptions,
  TemplateOptions,
  templateBody,
} from "../template-options.ts";

export const addTemplateCommands = (program: Command): void => {
  const template = program.command("template").summary("templates");
  addTemplateOptions(template.command("validate"))
    .summary("check a template and list its parameters")
    .action(validate);
  addInputOptions(template.command("resolve").argument("<file>", "the template"))
    .summary("print the outputs and properties that are known before anything is made")
    .option("--stack-name <name>", "the stack that the template reads its name from", "app")
    .action(resolve);
  addInputOptions(template.command("graph").argument("<file>", "the template"))
    .summary("draw which resource waits for which; needs no host")
    .addOption(
      new Option("--format <format>", "of the drawing").choices(["dot", "mermaid"]).default("dot"),
    )
    .action(graph);
};

const InputOptions = TemplateOptions.omit({ template: true });
const ResolveOptions = InputOptions.extend({ stackName: z.string() });
const GraphOptions = InputOptions.extend({
  format: z.enum(["dot", "mermaid"]),
  json: z.boolean().default(false),
});

const resolve = async (file: string, _options: unknown, command: Command): Promise<void> => {
  const session = openSession(command);
  const { stackName, ...inputs } = readOptions(ResolveOptions, command);
  const body = { stack_name: stackName, ...templateBody({ ...inputs, template: file }) };
  const { stack } = await session.client.request("POST", "/stacks/preview", PreviewAnswer, body);
  session.print(stack, () => resolvedLines(stack));
};

const graph = async (file: string, _options: unknown, command: Command): Promise<void> => {
  const { format, json, ...inputs } = readOptions(GraphOptions, command);
  const nodes = await drawn(() => templateGraph(templateBody({ ...inputs, template: file })));
  printer(json)(nodes, () => (format === "dot" ? dotLines(nodes) : mermaidLines(nodes)));
};

/** What is wrong with the template is the user's to mend, not a fault of the command. */
const drawn = async <T>(draw: () => Promise<T>): Promise<T> => {
  try {
    return await draw();
  } catch (error) {
    if (error instanceof RequestError) throw new CommandFailed(error.message);
    throw error;
  }
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
