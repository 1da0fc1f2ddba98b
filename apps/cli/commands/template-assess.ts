import type { Command } from "commander";
import { EXISTING_MACHINES } from "../environment-names.ts";
import { collect } from "../repeated-option.ts";
import { allowFilesOption, inventoryOption } from "../template-options.ts";
import { addPluginOptions } from "./plugin-options.ts";

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
