/** Parses a template as far as its parameters, in Heat's order and with Heat's texts. */

import { badRequest, validationFailed } from "#lib/errors.ts";
import { isJsonObject, type JsonObject } from "#lib/json.ts";
import type { TextReading } from "#lib/model/text-reading.ts";
import { readCfnParameters } from "./cfn-parameters.ts";
import { type EnvironmentOrigin, invalidEnvironment } from "./environment.ts";
import { formatOf } from "./format.ts";
import { member, oversize } from "./json-shape.ts";
import { readParameters } from "./parameter-schema.ts";
import { pythonText } from "./python-text.ts";
import { readSection } from "./resource-shape.ts";
import type { ParsedTemplate } from "./template.ts";
import { isCfn, readVersion, VERSION_KEY, VERSION_KEYS, type Version } from "./versions.ts";
import { UnreadableText } from "./yaml/yaml-error.ts";
import { parseText } from "./yaml.ts";

export const readText = (text: string): TextReading => {
  try {
    return { document: parseText(text) };
  } catch (failure) {
    if (failure instanceof UnreadableText) return { problem: failure.message };
    throw failure;
  }
};

const ROOT_TEMPLATE = "[root stack]";

export const templateIn = (reading: TextReading, file = ROOT_TEMPLATE): JsonObject => {
  const invalid = (reason: string) => badRequest(`Template not in valid format: ${reason}`);
  if ("problem" in reading) throw invalid(`Error parsing template ${file} ${reading.problem}`);
  const source = reading.document ?? {};
  if (!isJsonObject(source)) throw invalid("The template is not a JSON object or YAML mapping.");
  if (VERSION_KEYS.some((key) => Object.hasOwn(source, key))) return source;
  throw invalid("Template format version not found.");
};

export const environmentIn = (
  reading: TextReading,
  origin: EnvironmentOrigin = "request",
): JsonObject => {
  if ("problem" in reading) throw invalidEnvironment(reading.problem, origin);
  const source = reading.document ?? {};
  if (isJsonObject(source)) return source;
  throw invalidEnvironment("The environment is not a valid YAML mapping data type.", origin);
};

const versionKeysOf = (version: Version): readonly string[] =>
  VERSION_KEYS.filter((key) => isCfn(version) === (key !== VERSION_KEY));

const checkSections = (source: JsonObject, version: Version): void => {
  const sections = [...versionKeysOf(version), ...Object.values(formatOf(version).sections)];
  const unknown = Object.keys(source).find((key) => !sections.includes(key));
  if (unknown !== undefined) throw validationFailed(`The template section is invalid: ${unknown}`);
};

export const parametersIn = (
  source: JsonObject,
  version: Version,
): ParsedTemplate["parameters"] => {
  const section = member(source, formatOf(version).sections.parameters);
  return isCfn(version) ? readCfnParameters(section) : readParameters(section, version);
};

/** Several steps of a request, and every visit, parse the same document. */
const parsed = new WeakMap<JsonObject, ParsedTemplate>();

export const parseTemplate = (source: JsonObject): ParsedTemplate => {
  const known = parsed.get(source);
  if (known !== undefined) return known;
  const template = parse(source);
  parsed.set(source, template);
  return template;
};

/** Makes later calls of `parseTemplate` with this document return this template. */
export const keepParsed = (source: JsonObject, template: ParsedTemplate): ParsedTemplate => {
  parsed.set(source, template);
  return template;
};

/**
 * Reads the sections and the parameters. As in Heat, defaults and groups are checked together with
 * the values of parameters. `binding` reads the other sections, because they depend on these
 * values.
 */
const parse = (source: JsonObject): ParsedTemplate => {
  const version = readVersion(source);
  const problem = oversize(source);
  if (problem !== null) throw badRequest(`Template not in valid format: it is ${problem}`);
  // As in Heat, whose API needs the types of the parameters first.
  const parameters = parametersIn(source, version);
  checkSections(source, version);
  const { sections } = formatOf(version);
  readSection(member(source, sections.resources), version);
  const { parameterGroups: groups } = sections;
  const parameterGroups = (groups === null ? undefined : member(source, groups)) ?? null;
  return {
    version,
    description: pythonText(member(source, sections.description) ?? "No description"),
    parameters,
    parameterGroups,
    source,
  };
};
