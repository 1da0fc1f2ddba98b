/** In a member's properties, its name replaces the index variable of the ResourceGroup. */
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { mapOf } from "#lib/json-map.ts";
import { isJsonArray } from "#lib/template/json-shape.ts";

const replaced = (value: Json, indexVar: string, name: string): Json => {
  // A function, because in a text the patterns such as `$&` would be replaced.
  if (typeof value === "string") return value.replaceAll(indexVar, () => name);
  if (isJsonArray(value)) return value.map((item) => replaced(item, indexVar, name));
  return isJsonObject(value) ? withIndex(value, indexVar, name) : value;
};

export const withIndex = (properties: JsonObject, indexVar: string, name: string): JsonObject =>
  mapOf(Object.entries(properties).map(([key, value]) => [key, replaced(value, indexVar, name)]));
