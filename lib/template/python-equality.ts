/** Python's equality of values. Unlike for `jsonEquals`, true equals 1, also inside lists. */
import { canonicalJson, isJsonObject, type Json, mapOf } from "#lib/json.ts";
import { isJsonArray } from "./json-shape.ts";

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
