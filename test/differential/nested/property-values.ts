import { type Json, type JsonObject, mapOf } from "#lib/json.ts";
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import type { Random } from "#lib/ports/ports.ts";
import { aValue, chance, pick } from "#test/differential/values.ts";

const PLAIN_TYPES = ["OS::Heat::None", "OS::Heat::RandomString", "OS::Heat::TestResource"] as const;

const aDefinition = (random: Random): JsonObject => ({
  type: pick(random, PLAIN_TYPES),
  ...(chance(random, 50) ? { properties: { length: chance(random, 50) ? 8 : "BAD" } } : {}),
});

const SPECIAL: Readonly<Record<string, (random: Random) => Json>> = {
  resource_def: aDefinition,
  resource: aDefinition,
  resources: (random) => [pick(random, PLAIN_TYPES), pick(random, PLAIN_TYPES)],
  servers: () => ({ a: "x", b: "y" }),
  // Large groups would be slow.
  count: (random) => random.below(3),
};

const SIMPLE: Readonly<Record<PropertySchema["type"], Json>> = {
  string: "x",
  integer: 1,
  number: 1,
  boolean: true,
  list: ["x"],
  map: { a: "b" },
  any: "x",
};

const isAsked = ({ own, unimplemented }: PropertySchema): boolean => !own && !unimplemented;

export const goodValue = (random: Random, schema: PropertySchema): Json => {
  for (const constraint of schema.constraints ?? []) {
    if ("allowedValues" in constraint) {
      const [first = "x", ...others] = constraint.allowedValues;
      return pick(random, [first, ...others]);
    }
  }
  if (schema.items !== undefined) return [goodValue(random, schema.items)];
  return schema.schema === undefined ? SIMPLE[schema.type] : goodValues(random, schema.schema);
};

const OPTIONAL_PERCENT = 25;

export const goodValues = (random: Random, schemas: PropertySchemas): JsonObject =>
  mapOf(
    Object.entries(schemas)
      .filter(([, one]) => isAsked(one) && (one.required || chance(random, OPTIONAL_PERCENT)))
      .map(([key, one]) => [key, SPECIAL[key]?.(random) ?? goodValue(random, one)]),
  );

const BAD: Readonly<Record<PropertySchema["type"], Json>> = {
  string: { a: 1 },
  integer: "BAD",
  number: "BAD",
  boolean: "BAD",
  list: "BAD",
  map: "BAD",
  any: "BAD",
};

const wrongValue = (random: Random, schema: PropertySchema): Json => {
  if (chance(random, 50)) {
    if (schema.items !== undefined) return [wrongValue(random, schema.items)];
    if (schema.schema !== undefined) {
      return withWrong(random, schema.schema, goodValues(random, schema.schema));
    }
  }
  return chance(random, 70) ? BAD[schema.type] : aValue(random);
};

export const withWrong = (
  random: Random,
  schemas: PropertySchemas,
  values: JsonObject,
): JsonObject => {
  const asked = Object.entries(schemas).filter(([, { own }]) => !own);
  const [key, schema] = asked[random.below(Math.max(asked.length, 1))] ?? [];
  if (key === undefined || schema === undefined) return values;
  const others = Object.entries(values).filter(([other]) => other !== key);
  if (chance(random, 10)) return mapOf(others);
  return mapOf([...others, [key, wrongValue(random, schema)]]);
};
