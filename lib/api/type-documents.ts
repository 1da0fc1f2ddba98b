/** Property schemas as Heat's resource_types route shows them. */
import { type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import {
  type Bounds,
  isHidden,
  type PropertyConstraint,
  type PropertySchema,
  type PropertySchemas,
} from "#lib/model/property-schema.ts";
import type { AttributeSchema, ResourceType } from "#lib/ports/resource-type.ts";

const boundsDocument = ({ min, max }: Bounds): JsonObject => ({
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
});

const constraintDocument = (constraint: PropertyConstraint): JsonObject => {
  if ("range" in constraint) return { range: boundsDocument(constraint.range) };
  if ("length" in constraint) return { length: boundsDocument(constraint.length) };
  if ("allowedValues" in constraint) return { allowed_values: constraint.allowedValues };
  if ("custom" in constraint) return { custom_constraint: constraint.custom };
  return { allowed_pattern: constraint.allowedPattern };
};

const propertySchemaDocument = (schema: PropertySchema): JsonObject => ({
  type: schema.type,
  ...(schema.description === undefined ? {} : { description: schema.description }),
  required: schema.required ?? false,
  update_allowed: schema.updateAllowed ?? false,
  immutable: schema.immutable ?? false,
  ...(schema.default === undefined ? {} : { default: schema.default }),
  ...(schema.constraints ? { constraints: schema.constraints.map(constraintDocument) } : {}),
  ...(schema.items ? { schema: { "*": propertySchemaDocument(schema.items) } } : {}),
  ...(schema.schema ? { schema: membersDocument(schema.schema) } : {}),
});

const membersDocument = (schemas: PropertySchemas): JsonObject =>
  mapOf(Object.entries(schemas).map(([name, schema]) => [name, propertySchemaDocument(schema)]));

/** As in Heat, hidden and unimplemented properties are left out. */
export const listedProperties = (schemas: PropertySchemas): readonly [string, PropertySchema][] =>
  Object.entries(schemas).filter(
    ([, { support, unimplemented }]) => !isHidden(support) && unimplemented !== true,
  );

const heatProperties = (schemas: PropertySchemas): readonly [string, PropertySchema][] =>
  listedProperties(schemas).filter(([, { own }]) => own !== true);

export const propertySchemasDocument = (schemas: PropertySchemas): JsonObject =>
  membersDocument(mapOf(heatProperties(schemas)));

/**
 * A template of one resource, in HOT or in CloudFormation's format (Heat's resource_to_template):
 * each property is a parameter, and each attribute an output.
 */
type PropertyType = PropertySchema["type"];
type Attributes = readonly (readonly [name: string, schema: AttributeSchema])[];
type Write = (
  of: ResourceType,
  resource: string,
  properties: readonly (readonly [name: string, schema: PropertySchema])[],
  attributes: Attributes,
) => JsonObject;

const HOT_TYPES: Readonly<Record<PropertyType, string>> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  list: "comma_delimited_list",
  map: "json",
  any: "json",
};

const CFN_TYPES: Readonly<Record<PropertyType, string>> = {
  string: "String",
  integer: "Number",
  number: "Number",
  boolean: "Boolean",
  list: "CommaDelimitedList",
  map: "Json",
  any: "Json",
};

/** The output that makes the template usable as a type: the id of the resource. */
const REFERENCE = "OS::stack_id";

const given = (entries: Readonly<Record<string, Json | undefined>>): JsonObject =>
  mapOf(
    Object.entries(entries).flatMap(([key, value]): [string, Json][] =>
      value === undefined || value === null ? [] : [[key, value]],
    ),
  );

const description = (resource: string): string => `Initial template of ${resource}`;

const hotParameter = (schema: PropertySchema): JsonObject =>
  given({
    type: HOT_TYPES[schema.type],
    description: schema.description,
    default: schema.default,
    constraints: schema.constraints?.map(constraintDocument),
  });

const hotTemplate: Write = ({ type }, resource, properties, attributes) => ({
  heat_template_version: "2016-10-14",
  description: description(resource),
  parameters: mapOf(properties.map(([name, schema]) => [name, hotParameter(schema)])),
  resources: {
    [resource]: {
      type,
      properties: mapOf(properties.map(([name]) => [name, { get_param: name }])),
    },
  },
  outputs: mapOf([
    ...attributes.map(([name, schema]): [string, JsonObject] => [
      name,
      { value: { get_attr: [resource, name] }, description: schema.description ?? null },
    ]),
    [REFERENCE, { value: { get_resource: resource } }],
  ]),
});

const cfnConstraint = (constraint: PropertyConstraint): JsonObject => {
  if ("length" in constraint) {
    return given({ MinLength: constraint.length.min, MaxLength: constraint.length.max });
  }
  if ("range" in constraint) {
    return given({ MinValue: constraint.range.min, MaxValue: constraint.range.max });
  }
  if ("allowedValues" in constraint) return { AllowedValues: constraint.allowedValues };
  // CloudFormation's parameters have no custom constraints.
  return "custom" in constraint ? {} : { AllowedPattern: constraint.allowedPattern };
};

const BOOLEANS: readonly Json[] = ["True", "true", "False", "false"];

const cfnParameter = (schema: PropertySchema): JsonObject =>
  mergedMaps<Json>(
    given({
      Type: CFN_TYPES[schema.type],
      Description: schema.description,
      Default: schema.default,
    }),
    ...(schema.constraints ?? []).map(cfnConstraint),
    given({ AllowedValues: schema.type === "boolean" ? BOOLEANS : undefined }),
  );

/** CloudFormation's parameters give a list as one text. */
const cfnProperty = (name: string, { type }: PropertySchema): JsonObject =>
  type === "list" ? { "Fn::Split": [",", { Ref: name }] } : { Ref: name };

const cfnTemplate: Write = ({ type }, resource, properties, attributes) => ({
  HeatTemplateFormatVersion: "2012-12-12",
  Description: description(resource),
  Parameters: mapOf(properties.map(([name, schema]) => [name, cfnParameter(schema)])),
  Resources: {
    [resource]: {
      Type: type,
      Properties: mapOf(properties.map(([name, schema]) => [name, cfnProperty(name, schema)])),
    },
  },
  Outputs: mapOf([
    ...attributes.map(([name, schema]): [string, JsonObject] => [
      name,
      { Value: { "Fn::GetAtt": [resource, name] }, Description: schema.description ?? null },
    ]),
    [REFERENCE, { Value: { Ref: resource } }],
  ]),
});

const WRITERS: ReadonlyMap<string, Write> = new Map([
  ["hot", hotTemplate],
  ["cfn", cfnTemplate],
]);

/** As in Heat, the resource is named after a class. Null for an unknown `kind`. */
export const typeTemplate = (
  of: ResourceType,
  attributes: Attributes,
  kind: string,
): JsonObject | null => {
  const { properties } = of.schema;
  const resource = of.schema.templateName ?? of.type.split("::").at(-1) ?? of.type;
  const named = properties === "any" ? [] : heatProperties(properties);
  return WRITERS.get(kind)?.(of, resource, named, attributes) ?? null;
};
