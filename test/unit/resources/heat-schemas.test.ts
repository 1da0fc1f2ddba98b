import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import { readOracle, whyNoOracles } from "#test/oracles/oracle-files.ts";
import { typeSchemaOf } from "#test/unit/template/heat-types.ts";
import { world } from "./world.ts";

const comparable = (schema: PropertySchema): unknown => ({
  type: schema.type,
  required: schema.required === true,
  default: schema.default ?? null,
  updateAllowed: schema.updateAllowed === true,
  immutable: schema.immutable === true,
  constraints: schema.constraints ?? [],
  items: schema.items && comparable(schema.items),
  schema: schema.schema && comparableAll(schema.schema),
});

const comparableAll = (schemas: PropertySchemas): unknown =>
  Object.fromEntries(Object.entries(schemas).map(([key, schema]) => [key, comparable(schema)]));

const types = world().ports.resourceTypes;
const names = types.names().filter((name) => /^(?:OS|AWS)::/.test(name));

const recorded =
  whyNoOracles() === null
    ? readOracle("resource-schemas.json", z.record(z.string(), z.unknown()))
    : null;

describe.runIf(recorded !== null)("the schema of a type is Heat's", () => {
  it.each(names)("%s", async (name) => {
    const own = (await types.get(name))?.schema.properties;
    const heats = typeSchemaOf(recorded?.[name]).properties;
    if (own === "any") return expect(heats).toEqual({});
    if (own === undefined || heats === "any") throw new Error(`${name} has no schema`);
    const shared = Object.entries(own).filter(([, schema]) => schema.own !== true);
    expect(comparableAll(Object.fromEntries(shared))).toEqual(comparableAll(heats));
  });
});
