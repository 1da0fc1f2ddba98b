/**
 * What Heat knows of the types whose objects a cloud makes. Each service has its types in a JSON
 * file, with a line for each property and attribute. What data cannot say is code beside it, which
 * `declaredTypes` adds. Hearth has no provider of these types; `providers/` has some.
 */
import * as z from "zod/mini";
import { ExactNumber, isJsonObject } from "#lib/json.ts";
import { mapOf } from "#lib/json-map.ts";
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import type { ResourceSchema, ResourceType } from "#lib/ports/resource-type.ts";

export interface DeclaredType extends Pick<ResourceType, "type" | "schema"> {
  /** Heat can take a snapshot of the object before it deletes it. */
  readonly takesSnapshots?: true;
}

/** The code of a type. `translations` are code only where one of them computes a value. */
export type TypeRules = Pick<
  ResourceSchema,
  "validate" | "mustReplace" | "isReplacedByUpdate" | "translations"
>;

/** The code of a service's types, by their names. */
export type ServiceRules = Readonly<Record<string, TypeRules>>;

type DeclaredData = Omit<ResourceSchema, "properties"> & {
  readonly properties: PropertySchemas;
  readonly takesSnapshots?: true;
};

/**
 * The data is a part of the program, so a test checks it and no start does: that took 35 ms of
 * processor time and 2 MB in each function (test/unit/resources/declared-types.test.ts).
 */
const declaredData = z.custom<DeclaredData>(isJsonObject);

/** As in Heat, the default of a number is a float. JSON has no other word for that. */
const withFloat = (property: PropertySchema): PropertySchema =>
  property.type === "number" && typeof property.default === "number"
    ? { ...property, default: new ExactNumber(property.default) }
    : property;

const withFloats = (properties: PropertySchemas): PropertySchemas =>
  Object.values(properties).some((property) => withFloat(property) !== property)
    ? mapOf(Object.entries(properties).map(([name, property]) => [name, withFloat(property)]))
    : properties;

/** `types` is the data of a service by type, and `rules` the code of some of them. */
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
