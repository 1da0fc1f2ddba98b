/** The values of a provider's secret properties, for leaving them out of texts. */
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import type { ProviderCall } from "#lib/ports/resource-type.ts";
import { REDACTED } from "#lib/template/secrets.ts";
import type { PropertySchema, PropertySchemas } from "#provider/provider.ts";

const textsIn = (value: Json): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (isJsonObject(value)) return Object.values(value).flatMap(textsIn);
  return value === null || typeof value === "boolean" ? [] : [String(value)];
};

const secretsIn = (schema: PropertySchema, value: Json): readonly string[] => {
  if (schema.secret) return textsIn(value);
  const { items, schema: members } = schema;
  if (items && Array.isArray(value)) return value.flatMap((item) => secretsIn(items, item));
  return members && isJsonObject(value) ? secretsOf(members, value) : [];
};

const secretsOf = (schemas: PropertySchemas, values: JsonObject): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) => {
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    return schema === undefined ? [] : secretsIn(schema, value);
  });

/** The text as it is, and as it stands in JSON. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
];

/** The longest first: one secret may be a part of another one. */
const secretTexts = (schemas: PropertySchemas, call: ProviderCall): readonly string[] => {
  const { properties, previousProperties } = call;
  return [properties, previousProperties ?? {}]
    .flatMap((values) => secretsOf(schemas, values))
    .filter((text) => text !== "")
    .flatMap(formsOf)
    .toSorted((one, other) => other.length - one.length);
};

export const withoutSecrets = (
  text: string,
  schemas: PropertySchemas,
  call: ProviderCall,
): string =>
  secretTexts(schemas, call).reduce((shown, secret) => shown.replaceAll(secret, REDACTED), text);
