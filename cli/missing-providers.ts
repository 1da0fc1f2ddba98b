/** What of a valid template no create can make. It loads the whole engine, so it is loaded late. */
import { localTypes } from "#host/local-types.ts";
import type { Plugin } from "#host/plugins/load-plugin.ts";
import { assessTemplate } from "#lib/authoring/assess.ts";
import type { JsonObject } from "#lib/json.ts";
import { collectFiles } from "./files.ts";
import { allowed } from "./named-files.ts";

interface Reading {
  readonly plugins?: readonly Plugin[];
  /** Also files that are hidden or outside of the template's folder. */
  readonly allowFiles?: boolean;
}

/** A sentence for each resource, with its name. */
export const missingProviders = async (
  templateFile: string,
  environments: readonly string[],
  parameters: JsonObject,
  { plugins = [], allowFiles = false }: Reading = {},
): Promise<readonly string[]> => {
  const { environment_files, ...given } = collectFiles(
    templateFile,
    environments,
    allowed(allowFiles),
  );
  const request = { ...given, environmentFiles: environment_files, parameters };
  const { resources } = await assessTemplate(localTypes(plugins), request);
  return resources.flatMap(({ name, status, why }) =>
    status === "missing" ? [`${name}: ${why}`] : [],
  );
};
