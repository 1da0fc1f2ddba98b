/** Parses a template as far as its parameters, in Heat's order and with Heat's texts. */
import { badRequest, RequestError, unlessRefused, validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject, mapOf } from "#lib/json.ts";
import type { TextReading } from "#lib/model/text-reading.ts";
import { type EnvironmentOrigin, invalidEnvironment } from "../environment/environment.ts";
import {
  formatOf,
  isCfn,
  readVersion,
  VERSION_KEY,
  VERSION_KEYS,
  type Version,
} from "../format.ts";
import { isEmpty, member, oversize, sectionOf } from "../json-shape.ts";
import {
  type ParameterSchema,
  readCfnParameters,
  readParameters,
} from "../parameters/parameter-schema.ts";
import { pythonText } from "../python-text.ts";
import type { ParsedTemplate } from "../template.ts";
import { UnreadableText } from "../yaml/source.ts";
import { parseText } from "../yaml/yaml.ts";
import { readSection } from "./resource-shape.ts";

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
const keepParsed = (source: JsonObject, template: ParsedTemplate): ParsedTemplate => {
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

const NEWEST: Version = "2021-04-16";
const NEWEST_CFN: Version = "HeatTemplateFormatVersion.2012-12-12";

/**
 * Parses a stored template. The rules for requests change between versions, and a stack may be
 * older. Whatever the current rules refuse is marked as `unread`; the rest stays as it was written.
 */
export const versionOfStored = (source: JsonObject): Version => {
  const isCfn = !Object.hasOwn(source, VERSION_KEY);
  const hasCfnKey = VERSION_KEYS.some((key) => Object.hasOwn(source, key));
  return unlessRefused(() => readVersion(source)) ?? (isCfn && hasCfnKey ? NEWEST_CFN : NEWEST);
};

const VALUE_KEYS: ReadonlySet<string> = new Set([
  "type",
  "default",
  "hidden",
  "immutable",
  "Type",
  "Default",
  "NoEcho",
]);

const valueKeysOf = (written: Json): Json =>
  isJsonObject(written)
    ? mapOf(Object.entries(written).filter(([key]) => VALUE_KEYS.has(key)))
    : written;

/** An unreadable parameter may be a secret, so it is hidden. */
const unknownParameter = (name: string): ParameterSchema => ({
  name,
  type: "string",
  typeName: "string",
  label: name,
  description: "",
  default: null,
  hidden: true,
  immutable: false,
  tags: [],
  constraints: [],
});

const readAnyhow = (source: JsonObject, why: string): ParsedTemplate => {
  const version = versionOfStored(source);
  const { sections } = formatOf(version);
  const unread = new Set<string>();
  const parameterOf = (name: string, written: Json): ParameterSchema => {
    for (const body of [written, valueKeysOf(written)]) {
      const alone = { [sections.parameters]: mapOf([[name, body]]) };
      const read = unlessRefused(() => parametersIn(alone, version).get(name) ?? null);
      if (read !== null) return read;
    }
    unread.add(name);
    return unknownParameter(name);
  };
  const parameters = Object.entries(sectionOf(source, sections.parameters)).map(
    ([name, written]): [string, ParameterSchema] => [name, parameterOf(name, written)],
  );
  const description = member(source, sections.description) ?? null;
  return {
    version,
    description: isEmpty(description) ? "No description" : pythonText(description),
    parameters: new Map(parameters),
    parameterGroups: null,
    source,
    unread: { why, parameters: unread, resources: new Set() },
  };
};

export const parseStored = (source: JsonObject): ParsedTemplate => {
  try {
    return parseTemplate(source);
  } catch (failure) {
    if (!(failure instanceof RequestError)) throw failure;
    return keepParsed(source, readAnyhow(source, failure.message));
  }
};
