/** Parses a template and checks its structure, in Heat's order and with Heat's texts. */
import { badRequest, type RequestError, validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import type { TextReading } from "#lib/model/text-reading.ts";
import { checkCalls } from "./calls.ts";
import { type FunctionTable, functionsOf } from "./functions/table.ts";
import { isEmpty, isJsonArray, member, oversize } from "./json-shape.ts";
import { readParameters } from "./parameter-schema.ts";
import { checkParameterSchemas } from "./parameters.ts";
import { pythonRepr, pythonText, pythonType } from "./python-text.ts";
import { readResources } from "./resource-definitions.ts";
import { finished, type Steps } from "./steps.ts";
import type { OutputDefinition, Template } from "./template.ts";
import { isAtLeast, readVersion, VERSION_KEY, VERSION_KEYS, type Version } from "./versions.ts";
import { parseText, UnreadableText } from "./yaml.ts";

export const readText = (text: string): TextReading => {
  try {
    return { document: parseText(text) };
  } catch (failure) {
    if (failure instanceof UnreadableText) return { problem: failure.message };
    throw failure;
  }
};

const mapIn = (
  reading: TextReading,
  what: "Template" | "Environment",
  notAMap: string,
): JsonObject => {
  const document = "problem" in reading ? null : (reading.document ?? {});
  if (isJsonObject(document)) return document;
  throw badRequest(
    `${what} not in valid format: ${"problem" in reading ? reading.problem : notAMap}`,
  );
};

/** Throws Heat's HTTPBadRequest `Template not in valid format: …`. */
export const templateIn = (reading: TextReading): JsonObject => {
  const source = mapIn(reading, "Template", "The template is not a JSON object or YAML mapping.");
  if (VERSION_KEYS.some((key) => Object.hasOwn(source, key))) return source;
  throw badRequest("Template not in valid format: Template format version not found.");
};

/** Throws Heat's HTTPBadRequest `Environment not in valid format: …`. */
export const environmentIn = (reading: TextReading): JsonObject =>
  mapIn(reading, "Environment", "The environment is not a valid YAML mapping data type.");

const SECTIONS = [
  VERSION_KEY,
  "description",
  "parameter_groups",
  "parameters",
  "resources",
  "outputs",
];

const checkSections = (source: JsonObject, version: Version): void => {
  const sections = isAtLeast(version, "2016-10-14") ? [...SECTIONS, "conditions"] : SECTIONS;
  const unknown = Object.keys(source).find((key) => !sections.includes(key));
  if (unknown !== undefined) throw validationFailed(`The template section is invalid: ${unknown}`);
};

const groupError = (place: string, reason: string): RequestError =>
  validationFailed(`Parameter Groups error: ${place}: ${reason}`);

const checkGroups = (groups: Json, exists: (parameter: string) => boolean): void => {
  if (groups === null) return;
  if (!isJsonArray(groups)) {
    throw groupError("parameter_groups", "The parameter_groups should be a list.");
  }
  const assigned = new Set<string>();
  for (const group of groups) {
    const label = isJsonObject(group) ? member(group, "label") : undefined;
    const names = isJsonObject(group) ? member(group, "parameters") : undefined;
    const place = `parameter_groups.${pythonText(label ?? "")}`;
    if (names === undefined) {
      throw groupError(place, "The parameters must be provided for each parameter group.");
    }
    if (!isJsonArray(names)) {
      throw groupError(place, "The parameters of parameter group should be a list.");
    }
    for (const name of names.map(pythonText)) {
      if (assigned.has(name)) {
        throw groupError(
          place,
          `The ${name} parameter must be assigned to one parameter group only.`,
        );
      }
      if (!exists(name)) {
        throw groupError(
          place,
          `The grouped parameter ${name} does not reference a valid parameter.`,
        );
      }
      assigned.add(name);
    }
  }
};

const checkConditions = (conditions: Json | undefined): void => {
  if (conditions === undefined) return;
  if (!isJsonObject(conditions)) {
    const found = pythonType(conditions);
    throw validationFailed(
      `Conditions validation error: Condition definitions must be a map. Found a ${found} instead`,
    );
  }
  const [first] = Object.keys(conditions);
  if (first === undefined) return;
  throw validationFailed(`conditions.${first}: The section "conditions" is not supported yet`);
};

const outputError = (name: string, reason: string): RequestError =>
  validationFailed(`Output validation error: outputs.${name}: ${reason}`);

const readOutput = (
  name: string,
  source: Json,
  version: Version,
  functions: FunctionTable,
): OutputDefinition => {
  if (!isJsonObject(source)) {
    const found = pythonType(source);
    throw outputError(name, `Output definitions must be a map. Found a ${found} instead`);
  }
  const value = member(source, "value");
  if (value === undefined) {
    throw outputError(name, "Each output definition must contain a value key.");
  }
  checkCalls(functions, value, `outputs.${name}.value`);
  if (isAtLeast(version, "2016-10-14") && Object.hasOwn(source, "condition")) {
    throw validationFailed(
      `outputs.${name}.condition: The keyword "condition" is not supported yet`,
    );
  }
  const description = member(source, "description") ?? "No description given";
  return { name, description: pythonText(description), value };
};

const readOutputs = (
  section: Json | undefined,
  version: Version,
  functions: FunctionTable,
): ReadonlyMap<string, OutputDefinition> => {
  if (section === undefined || isEmpty(section)) return new Map();
  if (!isJsonObject(section)) {
    throw outputError(
      "",
      `Output definitions must be a map. Found a ${pythonType(section)} instead`,
    );
  }
  return new Map(
    Object.entries(section).map(([name, value]) => [
      name,
      readOutput(name, value, version, functions),
    ]),
  );
};

/** Heat refuses a name that is both a parameter and a resource. */
const checkNames = (
  parameters: Iterable<string>,
  resources: ReadonlyMap<string, unknown>,
): void => {
  const both = [...parameters].filter((name) => resources.has(name)).sort();
  if (both.length === 0) return;
  throw validationFailed(`Duplicate names {${both.map(pythonRepr).join(", ")}}`);
};

/** Several steps of a request parse the same document, and so does every visit. */
const parsed = new WeakMap<JsonObject, Template>();

/** `parse` with a cache by document. */
export function* parsing(source: JsonObject): Steps<Template> {
  const known = parsed.get(source);
  if (known !== undefined) return known;
  const template = yield* parse(source);
  parsed.set(source, template);
  return template;
}

export const parseTemplate = (source: JsonObject): Template => finished(parsing(source));

/**
 * Checks sections, parameters, resources, outputs, arguments of functions, references and cycles.
 * Throws RequestError with Heat's text. validate.ts checks what needs values or types.
 */
function* parse(source: JsonObject): Steps<Template> {
  const version = readVersion(source);
  const problem = oversize(source);
  if (problem !== null) throw badRequest(`Template not in valid format: it is ${problem}`);
  checkSections(source, version);
  const functions = functionsOf(version);
  const parameters = readParameters(member(source, "parameters"), version);
  checkParameterSchemas(parameters);
  const parameterGroups = member(source, "parameter_groups") ?? null;
  checkGroups(parameterGroups, (name) => parameters.has(name));
  checkConditions(member(source, "conditions"));
  const resources = yield* readResources(member(source, "resources"), version, functions);
  checkNames(parameters.keys(), resources);
  const outputs = readOutputs(member(source, "outputs"), version, functions);
  return {
    version,
    description: pythonText(member(source, "description") ?? "No description"),
    parameters,
    parameterGroups,
    resources,
    outputs,
    source,
  };
}
