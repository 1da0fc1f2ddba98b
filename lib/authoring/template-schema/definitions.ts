import { type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";

export const toDefinition = (name: string): JsonObject => ({ $ref: `#/definitions/${name}` });

export type Context = "value" | "condition";

/** Everything except a map whose only key is the name of a function. */
export const noCall = (context: Context): JsonObject => toDefinition(`no ${context} call`);
export const callIn = (context: Context): JsonObject => toDefinition(`${context} call`);

export const ANY_VALUE: JsonObject = toDefinition("any value");

export const conditional = (
  condition: JsonObject,
  then: JsonObject,
  otherwise?: JsonObject,
): JsonObject => ({
  if: condition,
  then,
  ...(otherwise === undefined ? {} : { else: otherwise }),
});

/**
 * Uses one schema for calls and another one for all other values, so that an editor shows only one
 * error.
 */
export const orCall = (context: Context, otherwise: JsonObject): JsonObject =>
  conditional(noCall(context), otherwise, callIn(context));

/** For values that are neither maps nor lists. Editors suggest the values of `anyOf`. */
export const scalarOrCall = (context: Context, scalar: JsonObject): JsonObject => ({
  anyOf: [scalar, callIn(context)],
});

export const anyOf = (schemas: readonly JsonObject[]): JsonObject => {
  const [first, ...more] = schemas;
  if (first === undefined) return {};
  return more.length === 0 ? first : { anyOf: schemas };
};

/** Texts that Python's int() and float() accept, except for digits outside ASCII. */
export const INTEGER_TEXT = "^\\s*[+-]?[0-9]+(_[0-9]+)*\\s*$";
export const NUMBER_TEXT =
  "^\\s*[+-]?([0-9][0-9_]*\\.?[0-9_]*|\\.[0-9][0-9_]*)([eE][+-]?[0-9_]+)?\\s*$";
export const BOOLEAN_TEXT = "^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$";

export const unlisted = (schema: JsonObject): JsonObject =>
  mergedMaps<Json>(schema, { doNotSuggest: true });

export const closedMap = (
  properties: JsonObject,
  required: readonly string[] = [],
): JsonObject => ({
  type: "object",
  properties,
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: false,
});

/** As in Heat, an empty section may be any empty value. */
export const mapOfEach = (schema: JsonObject): JsonObject => ({
  type: ["object", "null", "array", "string"],
  maxItems: 0,
  maxLength: 0,
  additionalProperties: schema,
});

/** The keys that a format has. The keys of other formats are null. */
export const keysOf = (known: readonly (readonly [string | null, JsonObject])[]): JsonObject =>
  mapOf(known.flatMap(([key, schema]) => (key === null ? [] : [[key, schema] as const])));

export const enumOf = (values: readonly Json[]): JsonObject => ({ enum: values });
