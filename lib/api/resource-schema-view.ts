/** Property schemas as Heat's resource_types route shows them. */
import { type JsonObject, mapOf } from "#lib/json.ts";
import {
  type Bounds,
  isHidden,
  type PropertyConstraint,
  type PropertySchema,
  type PropertySchemas,
} from "#lib/model/property-schema.ts";

const boundsDocument = ({ min, max }: Bounds): JsonObject => ({
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
});

export const constraintDocument = (constraint: PropertyConstraint): JsonObject => {
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

export const heatProperties = (schemas: PropertySchemas): readonly [string, PropertySchema][] =>
  listedProperties(schemas).filter(([, { own }]) => own !== true);

export const propertySchemasDocument = (schemas: PropertySchemas): JsonObject =>
  membersDocument(mapOf(heatProperties(schemas)));
