/** The index variable of a ResourceGroup. A member's properties have its name in this place. */
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { mapOf } from "#lib/json-map.ts";
import { isJsonArray } from "#lib/template/json-shape.ts";

const replaced = (value: Json, indexVar: string, name: string): Json => {
  // A function, because a text as the replacement could have patterns such as `$&`.
  if (typeof value === "string") return value.replaceAll(indexVar, () => name);
  if (isJsonArray(value)) return value.map((item) => replaced(item, indexVar, name));
  return isJsonObject(value) ? withIndex(value, indexVar, name) : value;
};

/** Replaces it in the texts of values at any depth. Keys stay as they are. */
export const withIndex = (properties: JsonObject, indexVar: string, name: string): JsonObject =>
  mapOf(Object.entries(properties).map(([key, value]) => [key, replaced(value, indexVar, name)]));
