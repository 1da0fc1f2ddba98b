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

/** Values that are equal in Python have the same text, and no others have it. */
export const equalityText = (value: Json): string => canonicalJson(withNumbersForBooleans(value));

export const pythonEquals = (left: Json, right: Json): boolean =>
  left === right || equalityText(left) === equalityText(right);
