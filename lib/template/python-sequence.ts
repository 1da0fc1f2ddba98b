/** How Python unpacks, converts and splits values. Functions that Heat leaves to Python need it. */
import { validationFailed } from "#lib/errors.ts";
import { isJsonNumber, isJsonObject, type Json, type JsonNumber, truncated } from "#lib/json.ts";
import { isJsonArray } from "./json-shape.ts";
import { integerFromText } from "./numbers.ts";
import { pythonType } from "./python-text.ts";

/** The items that Python finds in a value: characters of a text, keys of a map. Null: no items. */
export const itemsOf = (value: Json): readonly Json[] | null => {
  if (isJsonArray(value)) return value;
  if (typeof value === "string") return Array.from(value);
  return isJsonObject(value) ? Object.keys(value) : null;
};

/** Python's words for a value without items that should become several. */
export const cannotUnpack = (type: string): string => `cannot unpack non-iterable ${type} object`;

/** Python's int(). Null for a text that is no integer. Throws for what is no number at all. */
export const integerFrom = (value: Json): JsonNumber | null => {
  if (typeof value === "boolean") return Number(value);
  if (isJsonNumber(value)) return truncated(value);
  if (typeof value === "string") return integerFromText(value);
  throw validationFailed(notAnInteger(value));
};

export const notAnInteger = (value: Json): string =>
  `int() argument must be a string, a bytes-like object or a real number, not '${pythonType(value)}'`;

/** Python's error for a separator without a character. */
export const EMPTY_SEPARATOR = "empty separator";

/** How often a text that is not empty stands in another one, as splitting counts. */
export const occurrences = (text: string, part: string): number => {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) {
    count += 1;
  }
  return count;
};
