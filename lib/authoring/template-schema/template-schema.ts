/**
 * A JSON Schema of templates for editors. It accepts every template that people write and Hearth
 * accepts. It cannot detect everything that Hearth rejects.
 */
import { type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import {
  CFN_VERSIONS,
  formatOf,
  type TemplateFormat,
  VERSION_ALIASES,
  VERSION_KEYS,
  VERSIONS,
} from "#lib/template/format.ts";
import { RULES } from "#lib/template/parameters/parameter-constraint.ts";
import {
  CFN_PARAMETER_KEYS,
  CFN_PARAMETER_TYPES,
  PARAMETER_KEYS,
  PARAMETER_TYPES,
} from "#lib/template/parameters/parameter-schema.ts";
import {
  ANY_VALUE,
  closedMap,
  conditional,
  enumOf,
  keysOf,
  mapOfEach,
  toDefinition,
} from "./definitions.ts";
import { functionDefinitions } from "./function-definitions.ts";
import { resourceDefinition, typeDefinitions } from "./resource-definitions.ts";

const [VERSION_KEY = "", ...CFN_KEYS] = VERSION_KEYS;

const HOT = formatOf("2021-04-16");
const CFN = formatOf("AWSTemplateFormatVersion.2010-09-09");

const CONSTRAINT_KEYS: JsonObject = {
  description: {},
  range: closedMap({ min: {}, max: {} }),
  length: closedMap({ min: {}, max: {} }),
  modulo: closedMap({ step: {}, offset: {} }),
  allowed_values: { type: "array" },
  allowed_pattern: { type: "string" },
  custom_constraint: {},
};

const constraint: JsonObject = mergedMaps<Json>(closedMap(CONSTRAINT_KEYS), {
  anyOf: Object.keys(RULES).map((rule) => ({ required: [rule] })),
});

const HOT_PARAMETER_VALUES: JsonObject = {
  type: enumOf(PARAMETER_TYPES),
  constraints: { type: ["array", "null"], items: constraint },
  tags: { type: "array" },
};
const CFN_PARAMETER_VALUES: JsonObject = {
  Type: enumOf(CFN_PARAMETER_TYPES),
  AllowedValues: { type: "array" },
  AllowedPattern: { type: "string" },
};

const parameterSchema = (keys: readonly string[], values: JsonObject, type: string): JsonObject =>
  closedMap(mapOf(keys.map((key) => [key, values[key] ?? {}])), [type]);

const outputSchema = ({ value, description, condition }: TemplateFormat["output"]): JsonObject => ({
  type: "object",
  properties: keysOf([
    [value, ANY_VALUE],
    [description, {}],
    [condition, toDefinition("condition")],
  ]),
  required: [value],
});

const parameterGroups: JsonObject = {
  type: ["array", "null"],
  items: {
    type: "object",
    properties: { parameters: { type: "array" } },
    required: ["parameters"],
  },
};

const conditionSection: JsonObject = {
  type: "object",
  additionalProperties: { if: { type: "boolean" }, else: toDefinition("condition call") },
};

const sectionsOf = (
  { sections, output }: TemplateFormat,
  parameter: JsonObject,
  resource: string,
): JsonObject =>
  keysOf([
    [sections.description, {}],
    [sections.parameters, mapOfEach(parameter)],
    [sections.parameterGroups, parameterGroups],
    [sections.mappings, { type: ["object", "null"] }],
    [sections.conditions, conditionSection],
    [sections.resources, mapOfEach(toDefinition(resource))],
    [sections.outputs, mapOfEach(outputSchema(output))],
  ]);

const hotTemplate = (): JsonObject => {
  const parameter = parameterSchema([...PARAMETER_KEYS, "tags"], HOT_PARAMETER_VALUES, "type");
  const sections = sectionsOf(HOT, parameter, "resource");
  const versions = [...VERSIONS.toReversed(), ...Object.keys(VERSION_ALIASES)];
  return closedMap(mergedMaps<Json>({ [VERSION_KEY]: enumOf(versions) }, sections), [VERSION_KEY]);
};

const cfnTemplate = (): JsonObject => {
  const parameter = parameterSchema(CFN_PARAMETER_KEYS, CFN_PARAMETER_VALUES, "Type");
  const versions = CFN_KEYS.map((key) => {
    const own = CFN_VERSIONS.filter((version) => version.startsWith(`${key}.`));
    return [key, enumOf(own.map((version) => version.slice(key.length + 1)))] as const;
  });
  return closedMap(mergedMaps<Json>(mapOf(versions), sectionsOf(CFN, parameter, "cfn resource")));
};

const definitionsOf = (types: readonly ResourceType[]): JsonObject =>
  mapOf([
    ["template", hotTemplate()],
    ["cfn template", cfnTemplate()],
    ["resource", resourceDefinition(types, HOT.resource, false)],
    ["cfn resource", resourceDefinition(types, CFN.resource, true)],
    ...functionDefinitions(),
    ...typeDefinitions(types),
  ]);

const EITHER_FORMAT = conditional(
  { anyOf: CFN_KEYS.map((key) => ({ required: [key] })) },
  toDefinition("cfn template"),
  toDefinition("template"),
);

export const templateSchema = (types: readonly ResourceType[]): JsonObject =>
  mergedMaps<Json>(
    {
      $schema: "http://json-schema.org/draft-07/schema#",
      title: "Template of Heat",
      type: "object",
    },
    EITHER_FORMAT,
    { definitions: definitionsOf(types) },
  );
