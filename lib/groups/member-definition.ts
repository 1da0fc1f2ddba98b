import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { mapOf, mergedMaps } from "#lib/json-map.ts";
import type { MemberDefinition } from "#lib/model/group-record.ts";
import { member } from "#lib/template/json-shape.ts";
import { withIndex } from "./index-var.ts";

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
