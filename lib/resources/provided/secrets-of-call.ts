/** Removes the values of a provider's secret properties from texts. */
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

/** A shorter text could occur in ordinary words. */
const BASE64_CHARS_MIN = 8;
const CUT_CHARS_MIN = 12;

const toBase64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));

const formsOf = (secret: string): readonly string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  ...(secret.length < BASE64_CHARS_MIN ? [] : [toBase64(secret)]),
];

/** Longest first, because one secret may contain another. */
const secretTexts = (schemas: PropertySchemas, call: ProviderCall): readonly string[] => {
  const { properties, previousProperties } = call;
  return [properties, previousProperties ?? {}]
    .flatMap((values) => secretsOf(schemas, values))
    .filter((text) => text !== "")
    .flatMap(formsOf)
    .toSorted((one, other) => other.length - one.length);
};

/** A text that was cut may end in the middle of a secret. */
const withoutCutSecret = (text: string, secret: string): string => {
  const head = secret.slice(0, CUT_CHARS_MIN);
  if (head.length < CUT_CHARS_MIN) return text;
  for (let at = text.indexOf(head); at >= 0; at = text.indexOf(head, at + 1)) {
    if (secret.startsWith(text.slice(at))) return text.slice(0, at) + REDACTED;
  }
  return text;
};

export const withoutSecrets = (
  text: string,
  schemas: PropertySchemas,
  call: ProviderCall,
): string =>
  secretTexts(schemas, call).reduce(
    (shown, secret) => withoutCutSecret(shown.replaceAll(secret, REDACTED), secret),
    text,
  );
