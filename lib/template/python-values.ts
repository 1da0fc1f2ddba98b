/** How Python reads and compares values: as numbers, booleans, sequences and bytes. */
import { validationFailed } from "#lib/errors.ts";
import {
  canonicalJson,
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonNumber,
  jsonNumber,
  magnitudeOf,
  mapOf,
  truncated,
} from "#lib/json.ts";
import { decimalText, integerText, notFinite, pythonStrip } from "#lib/python/read-text.ts";
import { numericEscape } from "#lib/python/show-text.ts";
import { isJsonArray } from "./json-shape.ts";
import { pythonRepr, pythonType } from "./python-text.ts";

const numberOf = (digits: string | null): JsonNumber | null =>
  digits === null ? null : jsonNumber(digits);

/** Python's int() of text. Null for wrong text and for numbers that JSON lacks. */
export const integerFromText = (text: string): JsonNumber | null => numberOf(integerText(text));

/** Python's float() of text, likewise. */
export const numberFromText = (text: string): JsonNumber | null => numberOf(decimalText(text));

/** What Python accepts as a number. JSON has no infinity, so these values are texts (ADR 30). */
export type PythonNumber = JsonNumber | boolean | "inf" | "-inf" | "nan";

const pythonNumberFromText = (text: string): PythonNumber | null => {
  const digits = decimalText(text);
  if (digits === null) return notFinite(text);
  return jsonNumber(digits) ?? (digits.startsWith("-") ? "-inf" : "inf");
};

const MAGNITUDES = { inf: Infinity, "-inf": -Infinity, nan: Number.NaN } as const;

export const pythonMagnitude = (value: PythonNumber): bigint | number => {
  if (typeof value === "boolean") return Number(value);
  return isJsonNumber(value) ? magnitudeOf(value) : MAGNITUDES[value];
};

export const pythonNumberOf = (value: Json): PythonNumber | null => {
  if (isJsonNumber(value) || typeof value === "boolean") return value;
  return typeof value === "string" ? pythonNumberFromText(value) : null;
};

export const notConvertible = (value: Json): string => {
  const wanted = "a string, a bytes-like object or a real number";
  return `int() argument must be ${wanted}, not '${pythonType(value)}'`;
};

export const notANumber = (value: Json, show: (text: string) => string): string =>
  typeof value === "string"
    ? `could not convert string to float: ${show(pythonRepr(value))}`
    : notConvertible(value);

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
  throw validationFailed(notConvertible(value));
};

/** Python's error for a separator without a character. */
export const EMPTY_SEPARATOR = "empty separator";

export const occurrences = (text: string, part: string): number => {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) {
    count += 1;
  }
  return count;
};

/** The words that oslo's strict bool_from_string() accepts. */
const TRUE = ["1", "t", "true", "on", "y", "yes"];
const FALSE = ["0", "f", "false", "off", "n", "no"];
const ACCEPTED = [...TRUE, ...FALSE]
  .sort()
  .map((word) => `'${word}'`)
  .join(", ");

export const booleanOf = (text: string): boolean | null => {
  const word = pythonStrip(text).toLowerCase();
  if (TRUE.includes(word)) return true;
  return FALSE.includes(word) ? false : null;
};

export const notABoolean = (text: string): string =>
  `Unrecognized value '${text}', acceptable values are: ${ACCEPTED}`;

/** For Python's equality of values. Unlike for `jsonEquals`, true equals 1, also inside lists. */
const withNumbersForBooleans = (value: Json): Json => {
  if (typeof value === "boolean") return Number(value);
  if (isJsonArray(value)) return value.map(withNumbersForBooleans);
  if (!isJsonObject(value)) return value;
  return mapOf(Object.entries(value).map(([key, inner]) => [key, withNumbersForBooleans(inner)]));
};

/** A template may compare one list a thousand times, so the text of each list is computed once. */
const texts = new WeakMap<object, string>();

/** Two values have the same text exactly if they are equal in Python. */
export const equalityText = (value: Json): string => {
  const key = typeof value === "object" ? value : null;
  const known = key === null ? undefined : texts.get(key);
  if (known !== undefined) return known;
  const text = canonicalJson(withNumbersForBooleans(value));
  if (key !== null) texts.set(key, text);
  return text;
};

export const pythonEquals = (left: Json, right: Json): boolean =>
  left === right || equalityText(left) === equalityText(right);

/** Throws Python's error for the first match. Python counts characters, not UTF-16 units. */
const refuse = (text: string, pattern: RegExp, codec: string, reason: string): void => {
  const found = pattern.exec(text);
  if (found === null) return;
  const [run] = found;
  const first = Array.from(text.slice(0, found.index)).length;
  const count = Array.from(run).length;
  const what =
    count === 1
      ? `character '${numericEscape(run)}' in position ${first}`
      : `characters in position ${first}-${first + count - 1}`;
  throw validationFailed(`'${codec}' codec can't encode ${what}: ${reason}`);
};

export const latin1Bytes = (text: string): Uint8Array => {
  refuse(text, /[\u{100}-\u{10ffff}]+/u, "latin-1", "ordinal not in range(256)");
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
};

export const refuseSurrogates = (text: string): void => {
  refuse(text, /\p{Surrogate}+/u, "utf-8", "surrogates not allowed");
};
