import { z } from "zod";
import type { WireStack } from "#client/wire.ts";
import { badUsage } from "../failure.ts";
import { flag, option } from "../options.ts";
import { allowed, EXISTING_MACHINES, inventoryName, STUBS } from "./named-files.ts";

export const allowFiles = flag(
  "--allow-files",
  "read also files that are hidden or outside of the template's folder",
);

export const inventory = option(
  "--inventory <file>",
  `machines that exist; implies -e ${EXISTING_MACHINES}`,
  z.string().optional(),
);

export const parameter = option(
  "-P, --parameter <name=value>",
  "a parameter; may be repeated; name=@FILE takes the text of a file",
  z.array(z.string()).default([]),
);

/** What goes into a stack beside its template. */
const INPUTS = {
  environment: option(
    "-e, --environment <file>",
    "an environment; may be repeated; the last one wins, also over parameters",
    z.array(z.string()).default([]),
  ),
  parameter,
  parameterFile: option(
    "--parameter-file <file>",
    "a YAML or JSON map of parameters; --parameter wins, and HEARTH_PARAM_NAME is weaker",
    z.string().optional(),
  ),
  stubs: flag("--stubs", "rehearse with stubs in place of what needs a cloud or a machine"),
  inventory,
  allowFiles,
};

export const TemplateOptions = z.object({
  template: option("-t, --template <file>", "the template", z.string()),
  ...INPUTS,
});

/** Without a template the stack keeps its own. */
export const UpdateInputs = z.object({
  template: option("-t, --template <file>", "another template", z.string().optional()),
  ...INPUTS,
});

export const InputOptions = z.object({
  template: option(
    "-t, --template <file>",
    "the template, in place of the argument",
    z.string().optional(),
  ),
  ...INPUTS,
});

export type TemplateOptions = z.infer<typeof TemplateOptions>;

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
export const readTarget = async <Stack extends WireStack | null>(
  options: Omit<TemplateOptions, "template"> & { readonly template?: string | undefined },
  findStack: () => Promise<Stack>,
) => {
  const { readInputs, stackFiles } = await import("./files.ts");
  const { givenParameters, namesIn, withVariables } = await import("./given-parameters.ts");
  const { template = null, allowFiles: mayAll } = options;
  const inputs = readInputs(template, environmentNames(options), allowed(mayAll));
  const files = stackFiles(inputs);
  const given = givenParameters(options);
  // A file that is not there is an error before a host is asked.
  const stack = await findStack();
  const parameters = withVariables(namesIn(files.template, stack), given);
  return { inputs, stack, body: { ...files, parameters } };
};

export const readNewTarget = (options: TemplateOptions) => readTarget(options, async () => null);

export const templateBody = async (options: TemplateOptions) => (await readNewTarget(options)).body;

export type Target = Pick<Awaited<ReturnType<typeof readNewTarget>>, "inputs" | "body">;
