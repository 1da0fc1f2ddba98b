import { type Command, Option } from "commander";
import { collect } from "../options.ts";
import { addPluginOptions } from "../plugin-options.ts";
import { printer } from "../session.ts";
import { EXISTING_MACHINES } from "./named-files.ts";
import {
  addInputOptions,
  addTemplateArgument,
  allowFilesOption,
  inventoryOption,
} from "./template-options.ts";

export const addTemplateCommands = (program: Command): void => {
  const template = program.command("template");
  addPluginOptions(addInputOptions(addTemplateArgument(template.command("validate"))))
    .summary("tell all errors of a template with their places, or list its parameters")
    .addOption(
      new Option("--format <format>", "of the errors").choices(["text", "sarif"]).default("text"),
    )
    .action(withTemplate("validate"));
  addInputOptions(addTemplateArgument(template.command("resolve")))
    .summary("print the outputs and properties that are known before anything is made")
    .option("--stack-name <name>", "the stack that the template reads its name from", "app")
    .action(withTemplate("resolve"));
  addInputOptions(addTemplateArgument(template.command("graph")))
    .summary("draw which resource waits for which; needs no host")
    .addOption(
      new Option("--format <format>", "of the drawing")
        .choices(["dot", "mermaid", "svg"])
        .default("dot"),
    )
    .action(withTemplate("graph"));
  addAssessCommand(template);
  template
    .command("export <stack>")
    .summary("print the template of a stack as YAML, or with --json as JSON")
    .option("--output-file <file>", "write it there")
    .action(async (stack: string, options: unknown, command: Command) => {
      const { exportTemplate } = await import("./export-template.ts");
      await exportTemplate(stack, options, command);
    });
  template
    .command("schema")
    .summary("print a JSON Schema of templates, for editors; needs no host")
    .action(schema);
};

type Action = "validate" | "resolve" | "graph";

const withTemplate =
  (action: Action) =>
  async (file: string | undefined, _options: unknown, command: Command): Promise<void> => {
    const actions = await import("./validate.ts");
    await actions[action](file, command);
  };

const schema = async (): Promise<void> => {
  const [{ knownTypes }, { templateSchema }] = await Promise.all([
    import("#lib/authoring/known-types.ts"),
    import("#lib/authoring/template-schema/template-schema.ts"),
  ]);
  printer(true)(templateSchema(knownTypes()), () => []);
};

export const addAssessCommand = (template: Command): void => {
  addPluginOptions(template.command("assess"))
    .argument("[path]", "a template, or a folder")
    .option("-t, --template <path>", "the template, in place of the argument")
    .summary("tell what of a template, or of a folder's templates, runs here; needs no host")
    .option(
      "-e, --environment <file>",
      `an environment; may be repeated; without one it is ${EXISTING_MACHINES}`,
      collect,
    )
    .addOption(inventoryOption())
    .addOption(allowFilesOption())
    .action(async (path: string | undefined, options: unknown, command: Command) => {
      const { assess } = await import("./assess.ts");
      await assess(path, options, command);
    });
};
