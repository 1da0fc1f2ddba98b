/** Converts the value of a property to its schema's type, as Heat's Property does. */
import { present, validationFailed } from "#lib/errors.ts";
import {
  isInteger,
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonNumber,
  type JsonObject,
  mapOf,
  truncated,
} from "#lib/json.ts";
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import { isCollection, isEmpty, isJsonArray, member } from "../json-shape.ts";
import { listFromText } from "../parameters/parameters.ts";
import { jsonText, pythonRepr, pythonText } from "../python-text.ts";
import { integerFromText, notConvertible, numberFromText } from "../python-values.ts";
import { type ConstraintCheck, type CustomConstraints, violation } from "./constraints.ts";
import {
  isTranslatedAway,
  NamesConflict,
  rulesFor,
  type TranslatedPlace,
  type Translator,
  translated,
} from "./translations.ts";

/** As in Heat, an empty default becomes the type's empty value: `{}` for a list becomes `[]`. */
const defaultOf = ({ type, default: own }: PropertySchema): Json | undefined =>
  own !== undefined && isEmpty(own) ? OF_NULL[type] : own;

const orEmpty = (schema: PropertySchema, value: Json): Json =>
  value ?? defaultOf(schema) ?? OF_NULL[schema.type];

const toList = (written: Json, { items, parameter }: PropertySchema, at: At): Json => {
  const isText = parameter !== undefined && typeof written === "string";
  const value = isText ? listFromText(written) : written;
  if (!isJsonArray(value)) throw wrongType(at, `"${at.show(pythonRepr(value))}" is not a list`);
  if (items === undefined) return value;
  return value.map((item, index) => {
    const own = inside(at, `[${index}]`, String(index));
    const coerced = coerceValue(items, orEmpty(items, translateWritten(item, {}, own)), own);
    if (at.checked && items.unimplemented) throw notImplemented(at.place, index);
    return coerced;
  });
};

const toMap = (value: Json, { schema: members, parameter }: PropertySchema, at: At): Json => {
  if (parameter !== undefined && typeof value === "string") return value;
  // As in Heat, a parameter gets a list as its JSON text, and length constraints count that text.
  if (parameter !== undefined && isJsonArray(value)) return jsonText(value, { sortKeys: false });
  if (!isJsonObject(value)) throw wrongType(at, `"${at.show(pythonText(value))}" is not a map`);
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
      return toList(value, schema, at);
    case "map":
      return toMap(value, schema, at);
    case "any":
      return value;
  }
};

const acceptAll: CustomConstraints = () => () => null;

const coerceValue = (schema: PropertySchema, value: Json, at: At): Json => {
  const coerced = toType(schema, value, at);
  if (!at.checked) return coerced;
  for (const constraint of schema.constraints ?? []) {
    const wrong = violation(constraint, coerced, at);
    if (wrong !== null) throw propertyError(at.place, wrong);
  }
  const wrong = schema.parameter?.(coerced, at.show, at.custom ?? acceptAll) ?? null;
  if (wrong !== null) throw propertyError(at.place, wrong);
  return coerced;
};

export const refuseUnknown = (schemas: PropertySchemas, given: JsonObject, place: string): void => {
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(schemas, key));
  if (unknown !== undefined) throw propertyError(place, `Unknown Property ${unknown}`);
};

const notImplemented = (place: string, key: string | number) =>
  propertyError(place, `Property ${key} not implemented yet`);

export const refuseUnimplemented = (
  { unimplemented }: PropertySchema,
  given: JsonObject,
  key: string,
  place: string,
): void => {
  if (unimplemented !== true || member(given, key) === undefined) return;
  throw notImplemented(place, key);
};

const coerceWritten = (
  schema: PropertySchema,
  written: Json | undefined,
  own: At,
): Json | undefined => {
  const value = written === undefined ? defaultOf(schema) : orEmpty(schema, written);
  return value === undefined ? undefined : coerceValue(schema, value, own);
};

/** As in Heat, the error names the map that contains the property, or else the resource. */
const titleOfTypeError = ({ owner }: Translator, { path, place }: At): string =>
  path === "" ? `TypeError: ${owner}` : titled(place);

interface Reader {
  readonly translator: Translator;
  readonly own: At;
  readonly siblings: JsonObject;
  readonly checked: boolean;
  readonly misfit: Misfit;
}

const translatedPlace = ({
  translator,
  own,
  siblings,
  checked,
  misfit,
}: Reader): TranslatedPlace => ({
  path: own.path,
  siblings,
  property: (name) => {
    const { schemas, given } = translator;
    const schema = present(member(schemas, name), name);
    // Heat reads the source like a property, and reports its errors as ValueError, never TypeError.
    const source = { value: misfit.value, type: misfit.value };
    const at = { ...own, path: name, checked, translator: undefined, misfit: source };
    const value = coerceWritten(schema, member(given, name), at);
    if (value === undefined && schema.required) throw wrongValue(at, notAssigned(name));
    return value ?? null;
  },
  conflict: (message) => new NamesConflict(`${titled(own.place)}: ${message}`),
  wrongList: (message) => propertyError(own.place, message),
  wrongSource: (message) => validationFailed(`${misfit.type}: ${message}`),
});

const translateWritten = (written: Json, siblings: JsonObject, own: At): Json => {
  const { translator } = own;
  if (translator === undefined) return written;
  const title = titled(own.place);
  const misfit = { value: title, type: title };
  const reader = { translator, own, siblings, checked: false, misfit };
  return translated(rulesFor(translator, own.path), written, translatedPlace(reader));
};

/** Heat checks no constraint of a value that comes from other properties. */
const translateAbsent = (
  schema: PropertySchema,
  siblings: JsonObject,
  own: At,
  at: At,
): Json | undefined => {
  const { translator, checked } = own;
  const rules = translator === undefined ? [] : rulesFor(translator, own.path);
  if (translator === undefined || rules.length === 0) return undefined;
  const place = schema.required === true ? at.place : own.place;
  const misfit = { value: titled(place), type: titleOfTypeError(translator, at) };
  const reader = { translator, own, siblings, checked, misfit };
  const value = translated(rules, null, translatedPlace(reader));
  if (value === null && schema.default === undefined) return undefined;
  const plain = { ...own, place, checked: false, translator: undefined, misfit };
  return coerceValue(schema, orEmpty(schema, value), plain);
};

const notAssigned = (key: string): string => `Property ${key} not assigned`;

export const coerceMember = (
  schema: PropertySchema,
  given: JsonObject,
  key: string,
  at: At,
): Json | undefined => {
  const own = inside(at, `.${key}`, key);
  // As in Heat, a value that only other properties read is not checked itself.
  if (own.translator && isTranslatedAway(own.translator, own.path)) {
    return coerceWritten(schema, undefined, own);
  }
  const written = member(given, key);
  const value =
    written === undefined
      ? (translateAbsent(schema, given, own, at) ?? coerceWritten(schema, undefined, own))
      : coerceWritten(schema, translateWritten(written, given, own), own);
  if (value === undefined && schema.required === true) {
    throw propertyError(at.place, notAssigned(key));
  }
  if (at.checked) refuseUnimplemented(schema, given, key, at.place);
  return value;
};

const coerceMembers = (schemas: PropertySchemas, given: JsonObject, at: At): JsonObject => {
  if (at.checked) refuseUnknown(schemas, given, at.place);
  const entries = Object.entries(schemas).flatMap(([key, schema]): [string, Json][] => {
    const value = coerceMember(schema, given, key, at);
    return value === undefined ? [] : [[key, value]];
  });
  return mapOf(entries);
};

const titled = (place: string): string => `Property error: ${place}`;

const propertyError = (place: string, message: string) =>
  validationFailed(`${titled(place)}: ${message}`);

export interface At extends ConstraintCheck {
  readonly place: string;
  /** The place as translations name it, without the resource: `networks.0.network`. */
  readonly path: string;
  /** If false, only types are checked. Constraints are skipped, and unknown members left out. */
  readonly checked: boolean;
  readonly translator?: Translator | undefined;
  readonly misfit?: Misfit;
}

/** Heat reports a Python TypeError at another place than a ValueError. */
interface Misfit {
  readonly value: string;
  readonly type: string;
}

const wrongValue = ({ misfit, place }: At, message: string) =>
  validationFailed(`${misfit?.value ?? titled(place)}: ${message}`);

const wrongType = ({ misfit, place }: At, message: string) =>
  validationFailed(`${misfit?.type ?? titled(place)}: ${message}`);

const inside = (at: At, step: string, name: string): At => ({
  place: at.checked ? `${at.place}${step}` : at.place,
  path: at.path === "" ? name : `${at.path}.${name}`,
  checked: at.checked,
  translator: at.translator,
  custom: at.custom,
  show: at.show,
});

const toInteger = (value: Json, at: At): JsonNumber => {
  if (isJsonNumber(value)) return truncated(value);
  if (typeof value === "boolean") return Number(value);
  if (typeof value !== "string") throw wrongType(at, notConvertible(value));
  const integer = integerFromText(value);
  if (integer !== null) return integer;
  throw wrongType(at, `Value '${at.show(value)}' is not an integer`);
};

const toNumber = (value: Json, at: At): JsonNumber => {
  if (isJsonNumber(value)) return value;
  if (typeof value === "boolean") return Number(value);
  if (typeof value !== "string") throw wrongType(at, notConvertible(value));
  const number = numberFromText(value);
  if (number !== null) return number;
  const text = pythonRepr(value);
  throw wrongValue(at, `could not convert string to float: '${at.show(text.slice(1, -1))}'`);
};

const toText = (value: Json, at: At): string => {
  const isFloat = isJsonNumber(value) && !isInteger(value);
  if (value !== null && !isCollection(value) && !isFloat) return pythonText(value);
  throw wrongValue(at, `Value must be a string; got ${at.show(pythonRepr(value))}`);
};

const toBoolean = (value: Json, at: At): boolean => {
  if (typeof value === "boolean") return value;
  const message = (text: string): string => `"${at.show(text)}" is not a valid boolean`;
  if (typeof value !== "string") throw wrongType(at, message(pythonText(value)));
  const text = value.toLowerCase();
  if (text === "true" || text === "false") return text === "true";
  throw wrongValue(at, message(text));
};

/** What Heat reads instead of a null, if the property has no default. */
const OF_NULL: Readonly<Record<PropertySchema["type"], Json>> = {
  string: "",
  integer: 0,
  number: 0,
  boolean: false,
  list: [],
  map: {},
  any: null,
};
