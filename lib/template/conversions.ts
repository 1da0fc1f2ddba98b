import { validationFailed } from "#lib/errors.ts";
import { isInteger, isJsonNumber, type Json, type JsonNumber, truncated } from "#lib/json.ts";
import type { PropertySchema } from "#lib/model/property-schema.ts";
import type { ConstraintCheck } from "./constraints.ts";
import { isCollection } from "./json-shape.ts";
import { integerFromText, notConvertible, numberFromText } from "./numbers.ts";
import { pythonRepr, pythonText } from "./python-text.ts";
import type { Translator } from "./translations.ts";

export const titled = (place: string): string => `Property error: ${place}`;

export const propertyError = (place: string, message: string) =>
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
export interface Misfit {
  readonly value: string;
  readonly type: string;
}

export const wrongValue = ({ misfit, place }: At, message: string) =>
  validationFailed(`${misfit?.value ?? titled(place)}: ${message}`);

export const wrongType = ({ misfit, place }: At, message: string) =>
  validationFailed(`${misfit?.type ?? titled(place)}: ${message}`);

export const inside = (at: At, step: string, name: string): At => ({
  place: at.checked ? `${at.place}${step}` : at.place,
  path: at.path === "" ? name : `${at.path}.${name}`,
  checked: at.checked,
  translator: at.translator,
  custom: at.custom,
  show: at.show,
});

export const toInteger = (value: Json, at: At): JsonNumber => {
  if (isJsonNumber(value)) return truncated(value);
  if (typeof value === "boolean") return Number(value);
  if (typeof value !== "string") throw wrongType(at, notConvertible(value));
  const integer = integerFromText(value);
  if (integer !== null) return integer;
  throw wrongType(at, `Value '${at.show(value)}' is not an integer`);
};

export const toNumber = (value: Json, at: At): JsonNumber => {
  if (isJsonNumber(value)) return value;
  if (typeof value === "boolean") return Number(value);
  if (typeof value !== "string") throw wrongType(at, notConvertible(value));
  const number = numberFromText(value);
  if (number !== null) return number;
  const text = pythonRepr(value);
  throw wrongValue(at, `could not convert string to float: '${at.show(text.slice(1, -1))}'`);
};

export const toText = (value: Json, at: At): string => {
  const isFloat = isJsonNumber(value) && !isInteger(value);
  if (value !== null && !isCollection(value) && !isFloat) return pythonText(value);
  throw wrongValue(at, `Value must be a string; got ${at.show(pythonRepr(value))}`);
};

export const toBoolean = (value: Json, at: At): boolean => {
  if (typeof value === "boolean") return value;
  const message = (text: string): string => `"${at.show(text)}" is not a valid boolean`;
  if (typeof value !== "string") throw wrongType(at, message(pythonText(value)));
  const text = value.toLowerCase();
  if (text === "true" || text === "false") return text === "true";
  throw wrongValue(at, message(text));
};

/** What Heat reads instead of a null, if the property has no default. */
export const OF_NULL: Readonly<Record<PropertySchema["type"], Json>> = {
  string: "",
  integer: 0,
  number: 0,
  boolean: false,
  list: [],
  map: {},
  any: null,
};
