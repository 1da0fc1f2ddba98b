/**
 * What Heat knows of the types whose objects a cloud makes. Each service has a JSON file with a
 * line per property and attribute. `declaredTypes` adds the checks that data cannot express. No
 * provider is bound here; `providers/` has some.
 */
import * as z from "zod/mini";
import { ExactNumber, isJsonObject, mapOf } from "#lib/json.ts";
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import type { ResourceSchema, ResourceType } from "#lib/ports/resource-type.ts";

export interface DeclaredType extends Pick<ResourceType, "type" | "schema"> {
  readonly takesSnapshots?: true;
}

/** Translations are code only if one of them computes a value. All others are in the JSON files. */
export type TypeRules = Pick<
  ResourceSchema,
  "validate" | "mustReplace" | "isReplacedByUpdate" | "translations"
>;

export type ServiceRules = Readonly<Record<string, TypeRules>>;

type DeclaredData = Omit<ResourceSchema, "properties"> & {
  readonly properties: PropertySchemas;
  readonly takesSnapshots?: true;
};

/**
 * The JSON files are not parsed at start, because that took 35 ms and 2 MB in each function. A test
 * checks them instead (test/unit/resources/declared-types.test.ts).
 */
const declaredData = z.custom<DeclaredData>(isJsonObject);

/** As in Heat, the default of a number is a float, which JSON cannot express. */
const withFloat = (property: PropertySchema): PropertySchema =>
  property.type === "number" && typeof property.default === "number"
    ? { ...property, default: new ExactNumber(property.default) }
    : property;

const withFloats = (properties: PropertySchemas): PropertySchemas =>
  Object.values(properties).some((property) => withFloat(property) !== property)
    ? mapOf(Object.entries(properties).map(([name, property]) => [name, withFloat(property)]))
    : properties;

export const declaredTypes = (
  types: Readonly<Record<string, unknown>>,
  rules: ServiceRules = {},
): readonly DeclaredType[] =>
  Object.entries(types).map(([type, data]) => {
    const { takesSnapshots, properties, ...schema } = declaredData.parse(data);
    return {
      type,
      schema: { ...schema, properties: withFloats(properties), ...rules[type] },
      ...(takesSnapshots ? { takesSnapshots } : {}),
    };
  });
