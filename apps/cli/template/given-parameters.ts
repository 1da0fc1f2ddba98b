/**
 * The parameters of a command. HEARTH_PARAM_NAME is the weakest, then comes --parameter-file, and
 * --parameter wins. The host merges environments over all of them.
 */
import type { WireStack } from "#client/wire.ts";
import { type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import { sectionOf } from "#lib/template/json-shape.ts";
import { readPairs } from "../options.ts";
import { fileUrl, parseDocument, readSource } from "./source-file.ts";

const VARIABLE = "HEARTH_PARAM_";

/** Without a template these are the parameters that the stack has. */
export const namesIn = (template: JsonObject | null, stack: WireStack | null): readonly string[] =>
  template === null
    ? Object.keys(stack?.parameters ?? {})
    : ["parameters", "Parameters"].flatMap((key) => Object.keys(sectionOf(template, key)));

/** A variable may be for other templates, so those of unknown parameters are left out. */
export const withVariables = (names: readonly string[], given: JsonObject): JsonObject => {
  const variables = names.flatMap((name) => {
    const value = process.env[`${VARIABLE}${name}`] ?? "";
    return value === "" ? [] : [[name, value] as const];
  });
  return mergedMaps<Json>(mapOf(variables), given);
};

const fromFile = (file: string): JsonObject => parseDocument(readSource(fileUrl(file), file));

/** `@file` stands for the text of a file, and `@@` for a text that begins with `@`. */
const givenValue = (text: string): string => {
  if (!text.startsWith("@")) return text;
  const rest = text.slice(1);
  return rest.startsWith("@") ? rest : readSource(fileUrl(rest), rest).text;
};

export const givenParameters = ({
  parameter,
  parameterFile,
}: {
  readonly parameter: readonly string[];
  readonly parameterFile?: string | undefined;
}): JsonObject => {
  const pairs = Object.entries(readPairs("--parameter", parameter));
  return mergedMaps<Json>(
    parameterFile === undefined ? {} : fromFile(parameterFile),
    mapOf(pairs.map(([name, text]) => [name, givenValue(text)])),
  );
};
