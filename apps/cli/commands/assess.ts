import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { z } from "zod";
import { localTypes } from "#host/local-types.ts";
import { assessTemplate } from "#lib/authoring/assess.ts";
import { assessmentLines, type FileAssessment, totalsOf } from "../assessment.ts";
import { builtInEnvironment } from "../built-in-environments.ts";
import { EXISTING_MACHINES, isBuiltIn } from "../environment-names.ts";
import { CommandFailed } from "../failure.ts";
import { collectFiles } from "../files.ts";
import { allowed, besideFiles, type MayRead } from "../named-files.ts";
import { printer, readOptions } from "../session.ts";
import { fileUrl, parseDocument, readSource } from "../source-file.ts";
import { templatesAt } from "../template-folder.ts";
import { environmentNames, templateFileOf } from "../template-options.ts";
import { usedPlugins } from "../used-plugins.ts";
import { PluginOptions } from "./plugin-options.ts";

const AssessOptions = z.object({
  environment: z.array(z.string()).optional(),
  inventory: z.string().optional(),
  template: z.string().optional(),
  allowFiles: z.boolean().default(false),
  json: z.boolean().default(false),
  ...PluginOptions.shape,
});

const assessFile = async (
  file: string,
  environments: readonly string[],
  types: ReturnType<typeof localTypes>,
  mayRead: MayRead,
): Promise<FileAssessment> => {
  try {
    const { environment_files, ...given } = collectFiles(file, environments, mayRead);
    const request = { ...given, environmentFiles: environment_files };
    return { file, ...(await assessTemplate(types, { ...request, parameters: {} })) };
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return { file, status: "refused", resources: [], warnings: [], error: error.message };
  }
};

export const assess = async (
  path: string | undefined,
  _options: unknown,
  command: Command,
): Promise<void> => {
  const given = readOptions(AssessOptions, command);
  const { json, inventory, template, plugin, pluginSecrets, pluginPlainHttp, ...options } = given;
  const { environment = inventory === undefined ? [EXISTING_MACHINES] : [] } = options;
  const environments = environmentNames({ environment, inventory, stubs: false });
  // A wrong environment would otherwise be reported with each template.
  for (const name of environments) {
    if (builtInEnvironment(name) === null) parseDocument(readSource(fileUrl(name), name));
  }
  const named = templateFileOf(path, template);
  const { templates, others } = templatesAt(named);
  // The templates of a folder may name each other's files.
  const own = environments
    .filter((name) => !isBuiltIn(name))
    .map((name) => fileURLToPath(fileUrl(name)));
  const mayRead =
    allowed(options.allowFiles) ?? besideFiles([...templates, join(named, "any"), ...own]);
  const types = localTypes(await usedPlugins({ plugin, pluginSecrets, pluginPlainHttp }));
  const files: FileAssessment[] = [];
  for (const file of templates) files.push(await assessFile(file, environments, types, mayRead));
  const totals = totalsOf(files, others);
  printer(json)({ environments, files, totals }, () =>
    assessmentLines(environments, files, totals),
  );
  const failed = totals.missing + totals.refused;
  if (failed > 0) throw new CommandFailed(`${failed} of ${files.length} templates cannot run`);
};
