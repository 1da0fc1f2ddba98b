/** Stand-ins for values that only the update will tell. Each differs from the value before. */
import type { Json, JsonObject } from "#lib/json.ts";
import { mapOf, mergedMaps } from "#lib/json-map.ts";
import type { PropertySchema } from "#lib/model/property-schema.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { member } from "#lib/template/json-shape.ts";

export const UNKNOWN_VALUE = "known after the update";

/** The stand-in has the type of the schema, because the types' own rules read such values. */
const standIn = (schema: PropertySchema | undefined, before: Json): Json => {
  switch (schema?.type) {
    case "list":
      return [UNKNOWN_VALUE];
    case "map":
      return { [UNKNOWN_VALUE]: UNKNOWN_VALUE };
    case "boolean":
      return before !== true;
    case "integer":
    case "number":
      return typeof before === "number" ? before + 1 : 0;
    default:
      return UNKNOWN_VALUE;
  }
};

/** `properties` lack the unknown ones. An unknown key without a schema is an old name. */
export const withUnknown = (
  schema: Pick<ResourceType["schema"], "properties"> | null,
  properties: JsonObject,
  unknown: ReadonlySet<string>,
  before: JsonObject | null,
): JsonObject => {
  const schemas = schema?.properties ?? "any";
  const entries = [...unknown].flatMap((key): [string, Json][] => {
    const own = schemas === "any" ? undefined : schemas[key];
    if (schemas !== "any" && own === undefined) return [];
    return [[key, standIn(own, member(before ?? {}, key) ?? null)]];
  });
  return entries.length === 0 ? properties : mergedMaps(properties, mapOf(entries));
};
