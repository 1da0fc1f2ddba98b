/**
 * Lists the resources of a valid template that no provider here can make. The module loads the
 * whole engine, so it is imported on demand.
 */
import { localTypes } from "#host/local-types.ts";
import type { Plugin } from "#host/plugins/load-plugin.ts";
import { assessTemplate } from "#lib/authoring/assess.ts";
import type { JsonObject } from "#lib/json.ts";
import { collectFiles } from "./files.ts";
import { allowed } from "./named-files.ts";

interface Reading {
  readonly plugins?: readonly Plugin[];
  readonly allowFiles?: boolean;
}

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
