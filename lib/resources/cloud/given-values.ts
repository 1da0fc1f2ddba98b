/** How a plugin of Heat reads its properties: a missing one is None. */
import { isJsonNumber, type JsonObject, magnitudeOf } from "#lib/json.ts";
import { isEmpty, member } from "#lib/template/json-shape.ts";

/** `properties[key] is not None`. */
export const isGiven = (properties: JsonObject, key: string): boolean =>
  (member(properties, key) ?? null) !== null;

/**
 * Heat's check reads these properties here. Where nobody has checked the values, as in a nested
 * template, it fails at the first wrong one. Null: nothing is wrong.
 */
export const reads = (properties: JsonObject, ...keys: readonly string[]): null => {
  for (const key of keys) member(properties, key);
  return null;
};

/** `bool(properties[key])`: here Heat reads an empty value as if it were missing. */
export const isSet = (properties: JsonObject, key: string): boolean =>
  !isEmpty(member(properties, key));

/** Null: the value is missing, or no number. */
export const numberOf = (properties: JsonObject, key: string): bigint | number | null => {
  const value = member(properties, key) ?? null;
  return isJsonNumber(value) ? magnitudeOf(value) : null;
};
