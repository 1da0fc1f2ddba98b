import { type Command, Option } from "commander";
import { z } from "zod";
import { badUsage } from "../failure.ts";
import { collect, flag, readPairs } from "../options.ts";

import { allowed, EXISTING_MACHINES, inventoryName, STUBS } from "./named-files.ts";

export const TemplateOptions = z.object({
  template: z.string(),
  environment: z.array(z.string()).default([]),
  parameter: z.array(z.string()).default([]),
  stubs: flag,
  inventory: z.string().optional(),
  allowFiles: flag,
});

export type TemplateOptions = z.infer<typeof TemplateOptions>;

export const addTemplateOptions = (command: Command): Command =>
  addInputOptions(command.requiredOption("-t, --template <file>", "the template"));

export const addTemplateArgument = (command: Command): Command =>
  command
    .argument("[file]", "the template")
    .option("-t, --template <file>", "the template, in place of the argument");

export const templateFileOf = (
  argument: string | undefined,
  option: string | undefined,
): string => {
  const file = argument ?? option;
  if (file === undefined) throw badUsage("no template is named: FILE, or -t FILE");
  if (argument !== undefined && option !== undefined) {
    throw badUsage("two templates are named: FILE and -t FILE");
  }
  return file;
};

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
    .addOption(inventoryOption())
    .addOption(allowFilesOption());

export const allowFilesOption = (): Option =>
  new Option(
    "--allow-files",
    "read also files that are hidden or outside of the template's folder",
  );

export const inventoryOption = (): Option =>
  new Option("--inventory <file>", `machines that exist; implies -e ${EXISTING_MACHINES}`);

/** Hearth's environments come first, so that those of the user replace them. */
export const environmentNames = ({
  environment,
  stubs,
  inventory,
}: Pick<TemplateOptions, "environment" | "stubs" | "inventory">): readonly string[] => [
  ...(stubs ? [STUBS] : []),
  ...(inventory === undefined ? [] : [EXISTING_MACHINES, inventoryName(inventory)]),
  ...environment,
];

/** The modules that read templates are loaded here, so that the help does not load them. */
export const templateBody = async (options: TemplateOptions) => {
  const { collectFiles } = await import("./files.ts");
  return {
    ...collectFiles(options.template, environmentNames(options), allowed(options.allowFiles)),
    parameters: readPairs("--parameter", options.parameter),
  };
};
