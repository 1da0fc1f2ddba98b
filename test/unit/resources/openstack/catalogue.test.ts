import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { json } from "#lib/json-schema.ts";
import type { PropertySchema, SupportStatus } from "#lib/model/property-schema.ts";
import { CLOUD_TYPES } from "#lib/resources/openstack/catalogue.ts";

const FOLDER = new URL("../../../../lib/resources/openstack/types/", import.meta.url);

const optional = z.exactOptional;
const isTrue = z.literal(true);

const support: z.ZodMiniType<SupportStatus> = z.strictObject({
  status: optional(z.enum(["DEPRECATED", "UNSUPPORTED", "HIDDEN"])),
  since: optional(z.string()),
  message: optional(z.string()),
  get previous() {
    return optional(support);
  },
});

const bounds = z.strictObject({ min: optional(z.number()), max: optional(z.number()) });

const constraint = z.union([
  z.strictObject({ range: bounds }),
  z.strictObject({ length: bounds }),
  z.strictObject({ allowedValues: z.array(json) }),
  z.strictObject({ allowedPattern: z.string() }),
  z.strictObject({ custom: z.string() }),
]);

const schemaOfProperty: z.ZodMiniType<PropertySchema> = z.strictObject({
  type: z.enum(["string", "integer", "number", "boolean", "list", "map", "any"]),
  description: optional(z.string()),
  required: optional(z.boolean()),
  default: optional(json),
  updateAllowed: optional(z.boolean()),
  immutable: optional(isTrue),
  unimplemented: optional(isTrue),
  support: optional(support),
  constraints: optional(z.array(constraint)),
  get items() {
    return optional(schemaOfProperty);
  },
  get schema() {
    return optional(z.record(z.string(), schemaOfProperty));
  },
});

const attribute = z.strictObject({
  description: optional(z.string()),
  type: optional(z.enum(["string", "integer", "boolean", "list", "map"])),
  support: optional(support),
});

const path = z.array(z.string());
const source = z.union([
  z.strictObject({ sibling: z.string(), below: optional(path) }),
  z.strictObject({ property: path }),
]);

const declared = z.strictObject({
  description: z.string(),
  support: optional(support),
  templateName: optional(z.string()),
  isNamelessBeforeCreate: optional(isTrue),
  readWhenMade: optional(z.array(z.string())),
  takesSnapshots: optional(isTrue),
  translations: optional(
    z.array(
      z.union([z.strictObject({ replace: path, by: source }), z.strictObject({ delete: path })]),
    ),
  ),
  properties: z.record(z.string(), schemaOfProperty),
  attributes: z.record(z.string(), attribute),
});

const services = readdirSync(FOLDER).map((name) => name.replace(/\.json$/, ""));

const textOf = (service: string): string =>
  readFileSync(new URL(`${service}.json`, FOLDER), "utf8");

describe("the data of declared types", () => {
  it.each(services)("of %s is as declared, and says nothing else", (service) => {
    const types = z.record(z.string(), declared).parse(JSON.parse(textOf(service)));
    const known = new Set(CLOUD_TYPES.map(({ type }) => type));
    expect(Object.keys(types).filter((type) => !known.has(type))).toEqual([]);
  });

  it("has a line for each property, so that a change shows what it changes", () => {
    for (const service of services) {
      const lines = textOf(service).split("\n");
      for (const { type, schema } of CLOUD_TYPES) {
        if (!lines.some((line) => line.startsWith(`  "${type}": {`))) continue;
        for (const name of Object.keys(schema.properties)) {
          const own = lines.filter((line) => line.startsWith(`      "${name}": {`));
          expect(own, `${type} ${name}`).not.toEqual([]);
        }
      }
    }
  });
});
