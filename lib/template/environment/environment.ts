import { badRequest, notSupported, type RequestError, requestLimitExceeded } from "#lib/errors.ts";
import { isJsonNumber, isJsonObject, type Json, type JsonObject, mapOf } from "#lib/json.ts";
import { refusal } from "../faults.ts";
import { isEmpty, isJsonArray, member, sectionOf } from "../json-shape.ts";
import { pythonType } from "../python-text.ts";
import { MergeBudget, type Schemata, sectionMerger } from "./merge-strategy.ts";
import { GLOB_CHARACTERS_MAX, hasTooManyPatterns, unsupportedEntry } from "./registry.ts";
import { checkResourceEntry } from "./resource-hooks.ts";

export interface Environment {
  readonly parameters: JsonObject;
  /** Values for parameters that the user does not give. Unknown names are allowed. */
  readonly parameterDefaults: JsonObject;
  readonly resourceRegistry: JsonObject;
  /** By parameter or `default`: overwrite, merge or deep_merge with the values of earlier files. */
  readonly parameterMergeStrategies: JsonObject;
}

const SECTIONS: Readonly<Record<string, "map" | "list">> = {
  parameters: "map",
  parameter_defaults: "map",
  resource_registry: "map",
  encrypted_param_names: "list",
  event_sinks: "list",
  parameter_merge_strategies: "map",
};

export const ENVIRONMENT_SECTIONS: readonly string[] = Object.keys(SECTIONS);

/** Heat's API parses the environment of a request, and its engine the environment files. */
export type EnvironmentOrigin = "request" | "file";

export const invalidEnvironment = (reason: string, origin: EnvironmentOrigin): RequestError =>
  badRequest(origin === "file" ? reason : `Environment not in valid format: ${reason}`);

const checkSection = (name: string, value: Json, origin: EnvironmentOrigin): void => {
  const invalid = (reason: string): RequestError => invalidEnvironment(reason, origin);
  const shape = member(SECTIONS, name);
  if (shape === undefined) throw invalid(`environment has wrong section "${name}"`);
  if (value === null) throw invalid(`environment has empty section "${name}"`);
  const fits = shape === "map" ? isJsonObject(value) : isJsonArray(value);
  if (fits || isEmpty(value)) return;
  throw invalid(`the section "${name}" must be a ${shape}, found a ${pythonType(value)}`);
};

const checkResources = (resources: JsonObject): void => {
  for (const entry of Object.values(resources)) {
    if (!isJsonObject(entry)) continue;
    for (const [key, value] of Object.entries(entry)) checkResourceEntry(key, value);
  }
};

/** For a type that is mapped to a number or a list, Heat shows only Python's AttributeError. */
const wrongEntry = (entry: string, target: Json): RequestError => {
  const error = notSupported(`The resource_registry entry "${entry}"`);
  const isOther = isJsonNumber(target) || isJsonArray(target) || typeof target === "boolean";
  return isOther ? refusal("AttributeError", error.message) : error;
};

const checkRegistry = (registry: JsonObject): void => {
  if (hasTooManyPatterns(registry)) {
    throw requestLimitExceeded(
      `The patterns in the resource_registry have more than ${GLOB_CHARACTERS_MAX} characters.`,
    );
  }
  checkResources(sectionOf(registry, "resources"));
  const entry = unsupportedEntry(registry);
  if (entry !== null) throw wrongEntry(entry, member(registry, entry) ?? null);
};

export const parseEnvironment = (
  source: JsonObject,
  origin: EnvironmentOrigin = "request",
): Environment => {
  for (const [name, value] of Object.entries(source)) checkSection(name, value, origin);
  const resourceRegistry = sectionOf(source, "resource_registry");
  checkRegistry(resourceRegistry);
  if (!isEmpty(member(source, "event_sinks"))) {
    throw notSupported('The environment section "event_sinks"');
  }
  return {
    parameters: sectionOf(source, "parameters"),
    parameterDefaults: sectionOf(source, "parameter_defaults"),
    resourceRegistry,
    parameterMergeStrategies: sectionOf(source, "parameter_merge_strategies"),
  };
};

export interface EnvironmentFile {
  readonly name: string;
  readonly environment: Environment;
}

/** As in Heat, nulls count only in the first file that has a registry. */
const mergeRegistry = (earlier: JsonObject, later: JsonObject, budget: MergeBudget): JsonObject => {
  if (isEmpty(earlier)) return later;
  budget.copy(earlier);
  budget.copy(later);
  const given = Object.entries(later).filter(([, value]) => value !== null);
  return mapOf([...Object.entries(earlier), ...given]);
};

/**
 * Merges the files over the request's environment in their order, so a value in a file wins. The
 * strategies merge and deep_merge need the types of the parameters. Throws RequestLimitExceeded if
 * the merged values become too large.
 */
export const mergeEnvironments = (
  base: Environment,
  files: readonly EnvironmentFile[],
  schemata: Schemata,
): Environment => {
  const budget = new MergeBudget();
  const merge = sectionMerger(schemata, budget);
  return files.reduce<Environment>((merged, { name: fileName, environment }) => {
    const join = (earlier: JsonObject, section: JsonObject): JsonObject =>
      isEmpty(section)
        ? earlier
        : merge(earlier, {
            fileName,
            strategies: environment.parameterMergeStrategies,
            section,
          });
    return {
      parameters: join(merged.parameters, environment.parameters),
      parameterDefaults: join(merged.parameterDefaults, environment.parameterDefaults),
      resourceRegistry: mergeRegistry(
        merged.resourceRegistry,
        environment.resourceRegistry,
        budget,
      ),
      parameterMergeStrategies: merged.parameterMergeStrategies,
    };
  }, base);
};
