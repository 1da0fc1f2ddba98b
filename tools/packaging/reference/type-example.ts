import { type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import type { PropertyConstraint, PropertySchema } from "#lib/model/property-schema.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import {
  EXAMPLES_BY_NAME,
  EXAMPLES_BY_PATTERN,
  EXAMPLES_BY_RULE,
  MORE_PROPERTIES,
  MORE_RESOURCES,
} from "./example-values.ts";

/** For example, `OS::Octavia::L7Policy` gives the resource `l7_policy`. */
const resourceNameOf = (type: string): string =>
  (type.split("::").at(-1) ?? type)
    .replace("QoS", "Qos")
    .replace("IPsec", "Ipsec")
    .replaceAll(/([A-Z])(?=[A-Z][a-z])/g, "$1_")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase();

const nameLike = (words: string): string =>
  `my-${words
    .replaceAll(/([a-z])([A-Z])/g, "$1-$2")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .toLowerCase()}`;

const constrained = (constraint: PropertyConstraint): Json | undefined => {
  if ("allowedValues" in constraint) return constraint.allowedValues[0];
  if ("allowedPattern" in constraint) return EXAMPLES_BY_PATTERN[constraint.allowedPattern];
  if (!("custom" in constraint)) return undefined;
  const { custom } = constraint;
  return EXAMPLES_BY_RULE[custom] ?? nameLike(custom.split(".").at(-1) ?? custom);
};

const leastOf = (constraints: readonly PropertyConstraint[]): Json =>
  constraints.flatMap((one) => ("range" in one ? (one.range.min ?? []) : []))[0] ?? 1;

const plainExample = (
  name: string,
  { type, constraints = [], items, schema }: PropertySchema,
): Json => {
  switch (type) {
    case "string":
    case "any":
      return nameLike(name);
    case "integer":
    case "number":
      return leastOf(constraints);
    case "boolean":
      return true;
    case "list":
      return [items === undefined ? nameLike(name) : exampleOf(name, items)];
    case "map":
      return schema === undefined ? { key: "value" } : requiredOf(schema);
  }
};

const exampleOf = (name: string, schema: PropertySchema): Json => {
  const { constraints = [], type } = schema;
  const values = constraints.flatMap((one) => constrained(one) ?? []);
  const [value = EXAMPLES_BY_NAME[name] ?? plainExample(name, schema)] = values;
  return type === "list" && values.length > 0 ? [value] : value;
};

const requiredOf = (schemas: Readonly<Record<string, PropertySchema>>): JsonObject =>
  mapOf(
    Object.entries(schemas).flatMap(([name, schema]): [string, Json][] =>
      schema.required === true ? [[name, exampleOf(name, schema)]] : [],
    ),
  );

export const exampleResources = ({ type, schema }: ResourceType): JsonObject => {
  const required = schema.properties === "any" ? {} : requiredOf(schema.properties);
  const properties = mergedMaps(required, MORE_PROPERTIES[type] ?? {});
  const own = { type, ...(Object.keys(properties).length === 0 ? {} : { properties }) };
  return mergedMaps<Json>(MORE_RESOURCES[type] ?? {}, { [resourceNameOf(type)]: own });
};
