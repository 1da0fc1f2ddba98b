/** Converts the value of a property to its schema's type, as Heat's Property does. */
import { validationFailed } from "#lib/errors.ts";
import {
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonNumber,
  type JsonObject,
  truncated,
} from "#lib/json.ts";
import { mapOf } from "#lib/json-map.ts";
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import { type ConstraintCheck, violation } from "./constraints.ts";
import { isCollection, isJsonArray, member } from "./json-shape.ts";
import { integerFromText, notConvertible, numberFromText } from "./numbers.ts";
import { pythonRepr, pythonText } from "./python-text.ts";

/** Heat's StackValidationFailed of a property, with the full path. */
export const propertyError = (place: string, message: string) =>
  validationFailed(`Property error: ${place}: ${message}`);

/**
 * How Heat reads a value that it does not validate. Only its types count. An error names the
 * property, but not the place in its value.
 */
type Unchecked = "property" | "part";

interface At extends ConstraintCheck {
  readonly place: string;
  readonly unchecked?: Unchecked | undefined;
}

const inside = (at: At, step: string): At =>
  at.unchecked === "part"
    ? at
    : {
        ...at,
        place: at.place + step,
        ...(at.unchecked === undefined ? {} : { unchecked: "part" }),
      };

const toInteger = (value: Json, { place, show }: At): JsonNumber => {
  if (isJsonNumber(value)) return truncated(value);
  if (typeof value === "boolean") return Number(value);
  if (typeof value !== "string") throw propertyError(place, notConvertible(value));
  const integer = integerFromText(value);
  if (integer !== null) return integer;
  throw propertyError(place, `Value '${show(value)}' is not an integer`);
};

const toNumber = (value: Json, { place, show }: At): JsonNumber => {
  if (isJsonNumber(value)) return value;
  if (typeof value === "boolean") return Number(value);
  if (typeof value !== "string") throw propertyError(place, notConvertible(value));
  const number = numberFromText(value);
  if (number !== null) return number;
  const text = pythonRepr(value);
  throw propertyError(place, `could not convert string to float: '${show(text.slice(1, -1))}'`);
};

const toText = (value: Json, { place, show }: At): string => {
  if (value !== null && !isCollection(value)) return pythonText(value);
  throw propertyError(place, `Value must be a string; got ${show(pythonRepr(value))}`);
};

/** Accepts less than a boolean parameter: not "yes" and not 1. */
const toBoolean = (value: Json, { place, show }: At): boolean => {
  if (typeof value === "boolean") return value;
  const text = pythonText(value).toLowerCase();
  if (text === "true" || text === "false") return text === "true";
  throw propertyError(place, `"${show(text)}" is not a valid boolean`);
};

/** What Heat reads a null as that the user wrote or a function gave, if there is no default. */
const OF_NULL: Readonly<Record<PropertySchema["type"], Json>> = {
  string: "",
  integer: 0,
  number: 0,
  boolean: false,
  list: [],
  map: {},
  any: null,
};

const toList = (value: Json, items: PropertySchema | undefined, at: At): Json => {
  if (!isJsonArray(value)) {
    throw propertyError(at.place, `"${at.show(pythonRepr(value))}" is not a list`);
  }
  if (items === undefined) return value;
  const ofNull = items.default ?? OF_NULL[items.type];
  return value.map((item, index) => {
    const coerced = coerceValue(items, item ?? ofNull, inside(at, `[${index}]`));
    if (at.unchecked === undefined && items.unimplemented === true) {
      throw propertyError(at.place, `Property ${index} not implemented yet`);
    }
    return coerced;
  });
};

const toMap = (value: Json, members: PropertySchemas | undefined, at: At): JsonObject => {
  if (!isJsonObject(value)) {
    throw propertyError(at.place, `"${at.show(pythonText(value))}" is not a map`);
  }
  return members === undefined ? value : coerceMembers(members, value, at);
};

const toType = (schema: PropertySchema, value: Json, at: At): Json => {
  switch (schema.type) {
    case "string":
      return toText(value, at);
    case "integer":
      return toInteger(value, at);
    case "number":
      return toNumber(value, at);
    case "boolean":
      return toBoolean(value, at);
    case "list":
      return toList(value, schema.items, at);
    case "map":
      return toMap(value, schema.schema, at);
    case "any":
      return value;
  }
};

/** Throws `Property error: <place>: …` for a wrong type or a broken constraint. */
const coerceValue = (schema: PropertySchema, value: Json, at: At): Json => {
  const coerced = toType(schema, value, at);
  if (at.unchecked !== undefined) return coerced;
  for (const constraint of schema.constraints ?? []) {
    const wrong = violation(constraint, coerced, at);
    if (wrong !== null) throw propertyError(at.place, wrong);
  }
  return coerced;
};

export const refuseUnknown = (schemas: PropertySchemas, given: JsonObject, place: string): void => {
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(schemas, key));
  if (unknown !== undefined) throw propertyError(place, `Unknown Property ${unknown}`);
};

export const refuseUnimplemented = (
  { unimplemented }: PropertySchema,
  given: JsonObject,
  key: string,
  place: string,
): void => {
  if (unimplemented !== true || member(given, key) === undefined) return;
  throw propertyError(place, `Property ${key} not implemented yet`);
};

/** The value of a property or its default; undefined: it has neither. */
export const coerceMember = (
  schema: PropertySchema,
  given: JsonObject,
  key: string,
  at: At,
): Json | undefined => {
  const written = member(given, key);
  const absent = written === undefined ? undefined : OF_NULL[schema.type];
  const value = written ?? schema.default ?? absent;
  if (value !== undefined) {
    return coerceValue(schema, value, inside(at, `.${key}`));
  }
  if (schema.required !== true) return undefined;
  throw propertyError(at.place, `Property ${key} not assigned`);
};

const coerceMembers = (schemas: PropertySchemas, given: JsonObject, at: At): JsonObject => {
  if (at.unchecked === undefined) refuseUnknown(schemas, given, at.place);
  const entries = Object.entries(schemas).flatMap(([key, schema]): [string, Json][] => {
    const value = coerceMember(schema, given, key, at);
    if (at.unchecked === undefined) refuseUnimplemented(schema, given, key, at.place);
    return value === undefined ? [] : [[key, value]];
  });
  return mapOf(entries);
};
