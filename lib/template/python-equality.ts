/** Python's equality of values. Unlike `jsonEquals`, it holds true for 1, also inside of lists. */
import { canonicalJson, isJsonObject, type Json } from "#lib/json.ts";
import { mapOf } from "#lib/json-map.ts";
import { isJsonArray } from "./json-shape.ts";

const withNumbersForBooleans = (value: Json): Json => {
  if (typeof value === "boolean") return Number(value);
  if (isJsonArray(value)) return value.map(withNumbersForBooleans);
  if (!isJsonObject(value)) return value;
  return mapOf(Object.entries(value).map(([key, inner]) => [key, withNumbersForBooleans(inner)]));
};

/** A template may ask for one list a thousand times. Each of its items is written out once. */
const texts = new WeakMap<object, string>();

/** Values that are equal in Python have the same text, and no others have it. */
export const equalityText = (value: Json): string => {
  if (typeof value !== "object" || value === null) {
    return canonicalJson(withNumbersForBooleans(value));
  }
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = canonicalJson(withNumbersForBooleans(value));
  texts.set(value, text);
  return text;
};

export const pythonEquals = (left: Json, right: Json): boolean =>
  left === right || equalityText(left) === equalityText(right);
