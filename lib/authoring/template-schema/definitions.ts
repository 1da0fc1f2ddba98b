/** The names under which parts of the JSON Schema refer to each other. */
import type { Json, JsonObject } from "#lib/json.ts";
import { mergedMaps } from "#lib/json-map.ts";

export const toDefinition = (name: string): JsonObject => ({ $ref: `#/definitions/${name}` });

/** Where a function stands decides which functions there are. */
export type Context = "value" | "condition";

/** All that is no map of one key with a function's name. */
export const noCall = (context: Context): JsonObject => toDefinition(`no ${context} call`);
export const callIn = (context: Context): JsonObject => toDefinition(`${context} call`);

/** Any value. The calls in it are checked. */
export const ANY_VALUE: JsonObject = toDefinition("any value");

/** The schema that holds depends on another one. */
export const conditional = (
  condition: JsonObject,
  then: JsonObject,
  otherwise?: JsonObject,
): JsonObject => ({
  if: condition,
  then,
  ...(otherwise === undefined ? {} : { else: otherwise }),
});

/** One schema for a call, and another one for all else, so that an editor tells only one error. */
export const orCall = (context: Context, otherwise: JsonObject): JsonObject =>
  conditional(noCall(context), otherwise, callIn(context));

/** The same for what is no map and no list. Editors offer the values of these alternatives. */
export const scalarOrCall = (context: Context, scalar: JsonObject): JsonObject => ({
  anyOf: [scalar, callIn(context)],
});

export const anyOf = (schemas: readonly JsonObject[]): JsonObject => {
  const [first, ...more] = schemas;
  if (first === undefined) return {};
  return more.length === 0 ? first : { anyOf: schemas };
};

/** Texts that Python's int() and float() read. Digits of other scripts are left out. */
export const INTEGER_TEXT = "^\\s*[+-]?[0-9]+(_[0-9]+)*\\s*$";
export const NUMBER_TEXT =
  "^\\s*[+-]?([0-9][0-9_]*\\.?[0-9_]*|\\.[0-9][0-9_]*)([eE][+-]?[0-9_]+)?\\s*$";
export const BOOLEAN_TEXT = "^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$";

/** Accepted, and no editor offers it. */
export const unlisted = (schema: JsonObject): JsonObject =>
  mergedMaps<Json>(schema, { doNotSuggest: true });

/** A map in which no other key is allowed. */
export const closedMap = (
  properties: JsonObject,
  required: readonly string[] = [],
): JsonObject => ({
  type: "object",
  properties,
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: false,
});

/** As in Heat, a section that has nothing in it may be any empty value. */
export const mapOfEach = (schema: JsonObject): JsonObject => ({
  type: ["object", "null", "array", "string"],
  maxItems: 0,
  maxLength: 0,
  additionalProperties: schema,
});

export const enumOf = (values: readonly Json[]): JsonObject => ({ enum: values });
