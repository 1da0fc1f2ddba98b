import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import type { PropertySchemas, Translation } from "#lib/model/property-schema.ts";
import { coerceProperties, storedUnderNewNames } from "#lib/template/check/properties.ts";

const properties: PropertySchemas = {
  classes: {
    type: "list",
    default: [{ name: "letters", min: 1 }],
    items: {
      type: "map",
      schema: { name: { type: "string" }, min: { type: "integer", default: 1 } },
    },
  },
  class: { type: "string" },
  network: { type: "string", required: true, default: "public" },
  network_id: { type: "string" },
  ports: {
    type: "list",
    items: { type: "map", schema: { port: { type: "string" }, uuid: { type: "string" } } },
  },
  other: { type: "string", default: "new in this version" },
};
const translations: readonly Translation[] = [
  { add: ["classes"], from: { value: (name) => [{ name, min: 1 }] }, when: "class" },
  { delete: ["class"], when: "class" },
  { replace: ["network"], by: { property: ["network_id"] } },
  { replace: ["ports", "port"], by: { sibling: "uuid" } },
];
const schema = { properties, translations };

const stored = (given: JsonObject) => coerceProperties(properties, given, "");
const target = (given: JsonObject) => coerceProperties(properties, given, "", { translations });
const read = (given: JsonObject) => storedUnderNewNames(schema, stored(given));

const LETTERS = { name: "letters", min: 1 };
const DIGITS = { name: "digits", min: 1 };

describe("stored properties", () => {
  it.each<[string, JsonObject]>([
    ["an addition", { class: "digits" }],
    ["a replacement", { network_id: "n" }],
    ["a replacement in a list", { ports: [{ port: "a" }, { uuid: "b" }] }],
    ["all of them", { class: "digits", network_id: "n", ports: [{ uuid: "b" }] }],
  ])("equal the same properties of now: %s", (_, given) => {
    expect(stored(given)).not.toEqual(target(given));
    expect(read(given)).toEqual(target(given));
  });

  it("equal those of a user who now writes the new names", () => {
    expect(read({ class: "digits" })).toEqual(target({ classes: [DIGITS] }));
  });

  it("differ from other values", () => {
    expect(read({ class: "digits" })["classes"]).not.toEqual(target({ class: "hex" })["classes"]);
    expect(read({ network_id: "n" })["network"]).not.toBe(target({ network_id: "m" })["network"]);
  });

  it("stay as they are under the new names", () => {
    const before = { classes: [LETTERS, DIGITS], network: "public" };
    expect(storedUnderNewNames(schema, before)).toBe(before);
    expect(storedUnderNewNames({ ...schema, properties: "any" }, { class: "a" })).toEqual({
      class: "a",
    });
  });

  it("get no default that their writer did not know", () => {
    const { other, ...before } = stored({ class: "digits" });
    expect(other).toBeDefined();
    expect(storedUnderNewNames(schema, before)).not.toHaveProperty("other");
  });

  it("stay as they are if no translation accepts them", () => {
    for (const before of [
      { network_id: "n", network: "m" },
      { class: "digits", classes: [DIGITS] },
    ]) {
      expect(storedUnderNewNames(schema, before)).toBe(before);
    }
  });
});
