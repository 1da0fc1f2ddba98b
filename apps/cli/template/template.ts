import { writeFileSync } from "node:fs";
import type { Command } from "commander";
import { z } from "zod";
import { stackPath } from "#client/client.ts";
import { PreviewAnswer, type WirePreview, type WirePreviewed } from "#client/wire.ts";
import { type Declaration, declare, locally, NO_OPTIONS, onHost, onStack } from "../declaration.ts";
import { off, option } from "../options.ts";
import { PluginOptions } from "../plugin-options.ts";
import { jsonText, oneLine, outputLine, section, valueLine, writeLines, YAML } from "../print.ts";
import { unwritable } from "../private-file.ts";
import { exactPrinter, GlobalOptions, printer } from "../session.ts";
import { EXISTING_MACHINES } from "./named-files.ts";
import {
  allowFiles,
  InputOptions,
  inventory,
  templateBody,
  templateFileOf,
} from "./template-options.ts";

export const addTemplateCommands = (program: Command): void =>
  declare(program.command("template"), validate, resolve, graph, assess, exportTemplate, schema);

const templateArgument = (command: Command): Command =>
  command.argument("[file]", "the template; - is standard input");

const ValidateOptions = z.object({
  ...InputOptions.shape,
  format: option("--format <format>", "of the errors", z.enum(["text", "sarif"]).default("text")),
  project: GlobalOptions.shape.project,
  ...PluginOptions.shape,
});

const validate: Declaration = {
  usage: "validate",
  summary: "tell all errors of a template with their places, or list its parameters",
  words: templateArgument,
  examples: ["template validate web.yaml -e prod.yaml", "template validate - < web.yaml"],
  action: onHost(ValidateOptions, async (session, options, file?: string) => {
    const { validateTemplate } = await import("./validate.ts");
    await validateTemplate(session, {
      ...options,
      template: templateFileOf(file, options.template),
    });
  }),
};

const resolve: Declaration = {
  usage: "resolve",
  summary: "print the outputs and properties that are known before anything is made",
  words: templateArgument,
  action: onHost(
    InputOptions.extend({
      stackName: option(
        "--stack-name <name>",
        "the stack that the template reads its name from",
        z.string().default("app"),
      ),
    }),
    async (session, { stackName, ...inputs }, file?: string) => {
      const template = templateFileOf(file, inputs.template);
      const body = { stack_name: stackName, ...(await templateBody({ ...inputs, template })) };
      const path = "/stacks/preview";
      const { stack } = await session.client.request("POST", path, PreviewAnswer, body);
      session.print(stack, () => resolvedLines(stack));
    },
  ),
};

/**
 * A property without a known value is left out. `web` is a resource of the stack itself,
 * `app-below/web` one of the nested stack `app-below`.
 */
const resourceLines = (previewed: WirePreviewed): string[] => {
  if (Array.isArray(previewed)) return previewed.flatMap(resourceLines);
  const { parent_resource, stack_name, resource_name, resource_type, properties } = previewed;
  const path = parent_resource === undefined ? resource_name : `${stack_name}/${resource_name}`;
  return [
    `${oneLine(path)} (${oneLine(resource_type)})`,
    ...Object.entries(properties)
      .filter(([, value]) => value !== null)
      .map((property) => `  ${valueLine(property)}`),
  ];
};

export const resolvedLines = ({ outputs, resources }: WirePreview): string[] => [
  ...section("outputs", outputs.map(outputLine)),
  ...section("resources", resources.flatMap(resourceLines)),
];

const GraphOptions = InputOptions.extend({
  format: option(
    "--format <format>",
    "of the drawing",
    z.enum(["dot", "mermaid", "svg"]).default("dot"),
  ),
  json: off,
});

const graph: Declaration = {
  usage: "graph",
  summary: "draw which resource waits for which; needs no host",
  words: templateArgument,
  action: locally(GraphOptions, async ({ format, json, ...inputs }, file?: string) => {
    const template = templateFileOf(file, inputs.template);
    const { graphLines, graphOf } = await import("./graph.ts");
    const nodes = await graphOf({ ...inputs, template });
    exactPrinter(json)(nodes, () => graphLines(nodes, format));
  }),
};

const AssessOptions = z.object({
  template: option(
    "-t, --template <path>",
    "the template, in place of the argument",
    z.string().optional(),
  ),
  environment: option(
    "-e, --environment <file>",
    `an environment; may be repeated; without one it is ${EXISTING_MACHINES}`,
    z.array(z.string()).optional(),
  ),
  inventory,
  allowFiles,
  json: off,
  ...PluginOptions.shape,
});

const assess: Declaration = {
  usage: "assess",
  summary: "tell what of a template, or of a folder's templates, runs here; needs no host",
  words: (command) => command.argument("[path]", "a template, or a folder"),
  action: locally(AssessOptions, async ({ template, ...options }, path?: string) => {
    const { assessTemplates } = await import("./assess.ts");
    await assessTemplates(templateFileOf(path, template), options);
  }),
};

const exportTemplate: Declaration = {
  usage: "export <stack>",
  summary: "print the template of a stack as YAML, or with --json as JSON",
  action: onStack(
    z.object({
      outputFile: option("--output-file <file>", "write it there", z.string().min(1).optional()),
    }),
    async (session, stack, { outputFile }) => {
      const path = `${stackPath(stack)}/template`;
      const template = await session.client.request("GET", path, z.looseObject({}));
      const { stringify } = await import("yaml");
      const text = (session.json ? jsonText(template) : stringify(template, YAML)).trimEnd();
      if (outputFile === undefined) return writeLines([text]);
      try {
        writeFileSync(outputFile, `${text}\n`);
      } catch (error) {
        throw unwritable(outputFile, error);
      }
    },
  ),
};

const schema: Declaration = {
  usage: "schema",
  summary: "print a JSON Schema of templates, for editors; needs no host",
  action: locally(NO_OPTIONS, async () => {
    const [{ knownTypes }, { templateSchema }] = await Promise.all([
      import("#lib/authoring/known-types.ts"),
      import("#lib/authoring/template-schema/template-schema.ts"),
    ]);
    printer(true)(templateSchema(knownTypes()), () => []);
  }),
};
