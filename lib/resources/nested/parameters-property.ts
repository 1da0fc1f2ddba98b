/**
 * Finds the part of a definition that sets a nested stack's parameter, for types with a map of all
 * parameters.
 */
import type { Json, JsonObject } from "#lib/json.ts";
import { CFN_VERSIONS, VERSIONS } from "#lib/template/format.ts";
import { callIn, functionsOf } from "#lib/template/functions/table.ts";
import { member, sectionOf } from "#lib/template/json-shape.ts";

const TABLES = [
  functionsOf(VERSIONS[VERSIONS.length - 1] ?? VERSIONS[0]),
  functionsOf(CFN_VERSIONS[0]),
];

export const parameterSnippet = (given: JsonObject, property: string, parameter: string): Json => {
  const parameters = sectionOf(given, property);
  return TABLES.some((functions) => callIn(functions, parameters) !== null)
    ? parameters
    : (member(parameters, parameter) ?? null);
};
