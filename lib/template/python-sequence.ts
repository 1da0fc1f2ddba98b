import { validationFailed } from "#lib/errors.ts";
import { isJsonNumber, isJsonObject, type Json, type JsonNumber, truncated } from "#lib/json.ts";
import { isJsonArray } from "./json-shape.ts";
import { integerFromText } from "./numbers.ts";
import { pythonType } from "./python-text.ts";

export const itemsOf = (value: Json): readonly Json[] | null => {
  if (isJsonArray(value)) return value;
  if (typeof value === "string") return Array.from(value);
  return isJsonObject(value) ? Object.keys(value) : null;
};

export const cannotUnpack = (type: string): string => `cannot unpack non-iterable ${type} object`;

/** Python's int(). Throws its TypeError for a value that is neither a number nor a text. */
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

export const occurrences = (text: string, part: string): number => {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) {
    count += 1;
  }
  return count;
};
