/** Which part of a definition a nested stack's parameter comes from, where a map has them all. */
import type { Json, JsonObject } from "#lib/json.ts";
import { sectionOf } from "#lib/stack/stack-document.ts";
import { callIn, functionsOf } from "#lib/template/functions/table.ts";
import { member } from "#lib/template/json-shape.ts";
import { CFN_VERSIONS, VERSIONS } from "#lib/template/versions.ts";

const TABLES = [
  functionsOf(VERSIONS[VERSIONS.length - 1] ?? VERSIONS[0]),
  functionsOf(CFN_VERSIONS[0]),
];

/** If a function computes the whole map, each value may come from anything in it. */
export const parameterSnippet = (given: JsonObject, property: string, parameter: string): Json => {
  const parameters = sectionOf(given, property);
  return TABLES.some((functions) => callIn(functions, parameters) !== null)
    ? parameters
    : (member(parameters, parameter) ?? null);
};
