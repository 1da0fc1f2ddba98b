/** The options of every command that carries a template, and their part of the request. */
import { type Command, Option } from "commander";
import { z } from "zod";
import { EXISTING_MACHINES, inventoryName, STUBS } from "./built-in-environments.ts";
import { collectFiles } from "./files.ts";
import { collect, readPairs } from "./follow.ts";

export const TemplateOptions = z.object({
  template: z.string(),
  environment: z.array(z.string()).default([]),
  parameter: z.array(z.string()).default([]),
  stubs: z.boolean().default(false),
  inventory: z.string().optional(),
});

export type TemplateOptions = z.infer<typeof TemplateOptions>;

export const addTemplateOptions = (command: Command): Command =>
  addInputOptions(command.requiredOption("-t, --template <file>", "the template"));

/** What a template is resolved with. */
export const addInputOptions = (command: Command): Command =>
  command
    .option(
      "-e, --environment <file>",
      "an environment; may be repeated, the last one wins",
      collect,
    )
    .option(
      "-P, --parameter <name=value>",
      "a parameter; may be repeated, environments win",
      collect,
    )
    .option("--stubs", "rehearse: what needs a cloud or a machine is a stub")
    .addOption(inventoryOption());

export const inventoryOption = (): Option =>
  new Option("--inventory <file>", `machines that exist; implies -e ${EXISTING_MACHINES}`);

/** Those of Hearth come first, so that any environment of the user's replaces them. */
export const environmentNames = ({
  environment,
  stubs,
  inventory,
}: Pick<TemplateOptions, "environment" | "stubs" | "inventory">): readonly string[] => [
  ...(stubs ? [STUBS] : []),
  ...(inventory === undefined ? [] : [EXISTING_MACHINES, inventoryName(inventory)]),
  ...environment,
];

export const templateBody = (options: TemplateOptions) => ({
  ...collectFiles(options.template, environmentNames(options)),
  parameters: readPairs("--parameter", options.parameter),
});
