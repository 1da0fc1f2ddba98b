import { newSource } from "#lib/engine/stacks/target-source.ts";
import type { JsonObject } from "#lib/json.ts";
import { bindSource } from "#lib/stack/record/bind-source.ts";
import { knownValues } from "#lib/stack/record/parameter-values.ts";
import { parseTemplate } from "#lib/template/parse/parse.ts";

export interface GraphNode {
  readonly name: string;
  readonly type: string;
  readonly requires: readonly string[];
}

export interface GraphRequest {
  readonly template: JsonObject;
  readonly files: Readonly<Record<string, string>>;
  readonly environment: JsonObject;
  readonly environment_files: readonly string[];
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Parameters may be missing, unless a condition reads them.
 * @throws RequestError with Heat's text when the template is invalid.
 */
export const templateGraph = async (request: GraphRequest): Promise<readonly GraphNode[]> => {
  const { template, files, environment, environment_files, parameters } = request;
  const wanted = { template, files, environment, environmentFiles: environment_files, parameters };
  const source = await newSource({}, wanted);
  const parsed = parseTemplate(source.template);
  const values = knownValues(parsed, source.environment);
  const bound = await bindSource({}, source, values, async () => null);
  return [...bound.template.resources.values()].map(({ name, type, requires }) => ({
    name,
    type,
    requires,
  }));
};
