import type { Json, JsonObject, PropertySchema, PropertySchemas } from "../provider.ts";

const isMap = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const filled = ({ items, schema }: PropertySchema, value: Json): Json => {
  if (items && Array.isArray(value)) return value.map((item) => filled(items, item));
  return schema && isMap(value) ? withDefaults(schema, value) : value;
};

export const withDefaults = (schemas: PropertySchemas, given: JsonObject): JsonObject => {
  const known = Object.entries(schemas).flatMap(([name, schema]): [string, Json][] => {
    const value = Object.hasOwn(given, name) ? given[name] : schema.default;
    return value === undefined ? [] : [[name, filled(schema, value)]];
  });
  return { ...given, ...Object.fromEntries(known) };
};
