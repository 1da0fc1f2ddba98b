import type { JsonObject } from "#lib/json.ts";
import { isHidden } from "#lib/model/property-schema.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import type { TemplateFormat } from "#lib/template/format.ts";
import { isJsonArray } from "#lib/template/json-shape.ts";
import {
  ANY_VALUE,
  conditional,
  keysOf,
  orCall,
  scalarOrCall,
  toDefinition,
} from "./definitions.ts";
import { propertiesSchema } from "./property-definitions.ts";

const POLICIES = ["Delete", "Retain", "Snapshot"];

const namespaceOf = (type: string): string => type.split("::").slice(0, 2).join("::");

/**
 * Templates and environments may define types. So an unknown name is an error only in a namespace
 * of Hearth's own types.
 */
const typeNames = (types: readonly ResourceType[]): JsonObject => {
  const isShown = ({ schema }: ResourceType): boolean => !isHidden(schema.support);
  const hidden = types.filter((type) => !isShown(type)).map(({ type }) => type);
  const namespaces = new Set(types.map(({ type }) => namespaceOf(type)));
  const ownName = `^(${[...namespaces].join("|")})::[^:]+$`;
  return {
    description: "The type of the resource: one of Hearth's, or the file of a template.",
    anyOf: [
      { enum: types.filter(isShown).map(({ type }) => type) },
      // Hidden types are a pattern, because editors suggest the values of an enum.
      { type: "string", pattern: `^(${hidden.join("|")})$` },
      { type: "string", minLength: 1, not: { pattern: ownName } },
    ],
  };
};

export const typeDefinitions = (
  types: readonly ResourceType[],
): readonly (readonly [string, JsonObject])[] =>
  types.flatMap(({ type, schema }) =>
    schema.properties === "any" || schema.ignoresDefinition === true
      ? []
      : [[type, propertiesSchema(schema.properties, schema.translations)] as const],
  );

const requires = (schema: JsonObject | undefined): boolean => {
  const required = schema?.required;
  return required !== undefined && isJsonArray(required) && required.length > 0;
};

/** Nobody reads the properties of an external object, so they are not checked. */
const ofType = (
  { type, schema }: ResourceType,
  properties: JsonObject | undefined,
  words: TemplateFormat["resource"],
): JsonObject =>
  conditional(
    {
      properties: { [words.type]: { const: type } },
      required: [words.type],
      ...(words.externalId === null ? {} : { not: { required: [words.externalId] } }),
    },
    {
      description: schema.description,
      properties: {
        [words.properties]: properties === undefined || orCall("value", toDefinition(type)),
        [words.updatePolicy]: orCall("value", propertiesSchema(schema.updatePolicy ?? {})),
      },
      ...(requires(properties) ? { required: [words.properties] } : {}),
    },
  );

const MAP: JsonObject = { type: "object", additionalProperties: ANY_VALUE };

/** Heat ignores other keys in CloudFormation's formats. */
export const resourceDefinition = (
  types: readonly ResourceType[],
  words: TemplateFormat["resource"],
  allowsOthers: boolean,
): JsonObject => {
  const definitions = new Map(typeDefinitions(types));
  const lower = allowsOthers ? [] : POLICIES.map((policy) => policy.toLowerCase());
  const properties = keysOf([
    [words.type, typeNames(types)],
    [words.properties, orCall("value", { type: "object" })],
    [words.metadata, MAP],
    [
      words.dependsOn,
      { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    ],
    [words.deletionPolicy, scalarOrCall("value", { enum: [...POLICIES, ...lower] })],
    [words.updatePolicy, orCall("value", { type: "object" })],
    [words.description, { type: "string" }],
    [words.externalId, scalarOrCall("value", { type: "string", minLength: 1 })],
    [words.condition, toDefinition("condition")],
  ]);
  return {
    type: "object",
    properties,
    required: [words.type],
    additionalProperties: allowsOthers,
    allOf: types
      .filter(({ schema }) => schema.ignoresDefinition !== true)
      .map((type) => ofType(type, definitions.get(type.type), words)),
  };
};
