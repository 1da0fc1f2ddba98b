/** The definitions of a group's members. */
import { isJsonObject, type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import type { MemberDefinition } from "#lib/model/group-record.ts";
import { isJsonArray, member } from "#lib/template/json-shape.ts";
import type { Member } from "./record.ts";

/** As in Heat, properties without a value are left out. */
export const resourceGroupDefinition = (
  resourceDef: JsonObject,
  indexVar: string,
): MemberDefinition => {
  const properties = member(resourceDef, "properties");
  if (properties === undefined || !isJsonObject(properties)) return { body: resourceDef, indexVar };
  const given = Object.entries(properties).filter(([, value]) => value !== null);
  return { body: mergedMaps<Json>(resourceDef, { properties: mapOf(given) }), indexVar };
};

export const memberBody = ({ body, indexVar }: MemberDefinition, name: string): JsonObject => {
  const properties = member(body, "properties");
  if (indexVar === null || properties === undefined || !isJsonObject(properties)) return body;
  return mergedMaps<Json>(body, { properties: withIndex(properties, indexVar, name) });
};

const replaced = (value: Json, indexVar: string, name: string): Json => {
  // A function, because in a text the patterns such as `$&` would be replaced.
  if (typeof value === "string") return value.replaceAll(indexVar, () => name);
  if (isJsonArray(value)) return value.map((item) => replaced(item, indexVar, name));
  return isJsonObject(value) ? withIndex(value, indexVar, name) : value;
};

/** In a member's properties, its name replaces the index variable of the ResourceGroup. */
export const withIndex = (properties: JsonObject, indexVar: string, name: string): JsonObject =>
  mapOf(Object.entries(properties).map(([key, value]) => [key, replaced(value, indexVar, name)]));

interface Chain {
  readonly types: readonly string[];
  readonly properties: JsonObject | undefined;
}

export const chainMembers = ({ types, properties }: Chain): readonly Member[] => {
  const definitions = new Map<string, MemberDefinition>();
  const definitionOf = (type: string): MemberDefinition => {
    const body = { type, ...(properties === undefined ? {} : { properties }) };
    const definition = definitions.get(type) ?? { body, indexVar: null };
    definitions.set(type, definition);
    return definition;
  };
  return types.map((type, at) => ({ name: String(at), definition: definitionOf(type) }));
};
