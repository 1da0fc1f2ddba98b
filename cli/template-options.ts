/** The options of every command that carries a template, and their part of the request. */
import type { Command } from "commander";
import { z } from "zod";
import { STUBS } from "./built-in-environments.ts";
import { collectFiles } from "./files.ts";
import { collect, readPairs } from "./follow.ts";

export const TemplateOptions = z.object({
  template: z.string(),
  environment: z.array(z.string()).default([]),
  parameter: z.array(z.string()).default([]),
  stubs: z.boolean().default(false),
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
    .option("--stubs", "rehearse: what needs a cloud or a machine is a stub");

/** The stubs come first, so that any environment of the user's replaces them. */
export const environmentNames = ({
  environment,
  stubs,
}: Pick<TemplateOptions, "environment" | "stubs">): readonly string[] =>
  stubs ? [STUBS, ...environment] : environment;

export const templateBody = (options: TemplateOptions) => ({
  ...collectFiles(options.template, environmentNames(options)),
  parameters: readPairs("--parameter", options.parameter),
});
