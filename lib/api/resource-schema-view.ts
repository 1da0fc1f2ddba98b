/** Property schemas as Heat's resource_types route shows them. */
import type { JsonObject } from "#lib/json.ts";
import { mapOf } from "#lib/json-map.ts";
import type {
  Bounds,
  PropertyConstraint,
  PropertySchema,
  PropertySchemas,
} from "#lib/model/property-schema.ts";

const boundsDocument = ({ min, max }: Bounds): JsonObject => ({
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
});

export const constraintDocument = (constraint: PropertyConstraint): JsonObject => {
  if ("range" in constraint) return { range: boundsDocument(constraint.range) };
  if ("length" in constraint) return { length: boundsDocument(constraint.length) };
  if ("allowedValues" in constraint) return { allowed_values: constraint.allowedValues };
  return { allowed_pattern: constraint.allowedPattern };
};

const propertySchemaDocument = (schema: PropertySchema): JsonObject => ({
  type: schema.type,
  ...(schema.description === undefined ? {} : { description: schema.description }),
  required: schema.required ?? false,
  update_allowed: schema.updateAllowed ?? false,
  immutable: false,
  ...(schema.default === undefined ? {} : { default: schema.default }),
  ...(schema.constraints ? { constraints: schema.constraints.map(constraintDocument) } : {}),
  // As in Heat, "*" holds the schema of a list's items.
  ...(schema.items ? { schema: { "*": propertySchemaDocument(schema.items) } } : {}),
  ...(schema.schema ? { schema: propertySchemasDocument(schema.schema) } : {}),
});

export const propertySchemasDocument = (schemas: PropertySchemas): JsonObject =>
  mapOf(Object.entries(schemas).map(([name, schema]) => [name, propertySchemaDocument(schema)]));
