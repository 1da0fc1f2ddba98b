/** A template that replaces a type is checked against it. Heat 26 gave each of these answers. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { at, openWorld } from "#test/unit/api/api-world.ts";

const STRING = { type: "string" };
const OPTIONAL = { type: "string", default: "x" };

const provider = (parameters: JsonObject, ...outputs: readonly string[]): string =>
  JSON.stringify({
    heat_template_version: "2021-04-16",
    parameters,
    outputs: Object.fromEntries(outputs.map((name) => [name, { value: name }])),
  });

interface Given {
  readonly type: string;
  readonly properties?: JsonObject;
  readonly registry?: JsonObject;
  readonly files: Readonly<Record<string, string>>;
}

const answerTo = async ({ type, properties = {}, registry, files }: Given) => {
  const { status, body } = await openWorld().send("POST", "/stacks", {
    stack_name: "app",
    template: { heat_template_version: "2021-04-16", resources: { r: { type, properties } } },
    environment: { resource_registry: registry ?? { [type]: "p.yaml" } },
    files,
  });
  return status === 201 ? "accepted" : at(body, "error", "message");
};

const RANDOM = "OS::Heat::RandomString";
const SPECIFIC = { "My::Thing": "f.yaml", resources: { r: { "My::Thing": "p.yaml" } } };
const FACADE = provider({ one: STRING, two: STRING }, "x", "y");

describe("a template that stands for a type", () => {
  it.each<[string, Given, string]>([
    [
      "has its attributes",
      { type: RANDOM, files: { "p.yaml": provider({}, "value") } },
      "accepted",
    ],
    [
      "lacks one of its attributes",
      { type: RANDOM, files: { "p.yaml": provider({}) } },
      "Attribute value for facade OS::Heat::RandomString missing in provider",
    ],
    [
      "has a property of another type",
      { type: RANDOM, files: { "p.yaml": provider({ length: OPTIONAL }, "value") } },
      "Property length type mismatch between facade OS::Heat::RandomString (Integer) and provider (String)",
    ],
    [
      "has a number for an integer",
      {
        type: RANDOM,
        files: { "p.yaml": provider({ length: { type: "number", default: 3 } }, "value") },
      },
      "accepted",
    ],
    [
      "requires what the type does not have",
      {
        type: RANDOM,
        properties: { foo: "x" },
        files: { "p.yaml": provider({ foo: STRING }, "value") },
      },
      "Provider requires property foo unknown in facade OS::Heat::RandomString",
    ],
    [
      "lacks a required property",
      { type: "OS::Nova::Server", files: { "p.yaml": provider({}) } },
      "Required property flavor for facade OS::Nova::Server missing in provider",
    ],
    ["stands for no type", { type: "My::Thing", files: { "p.yaml": provider({}) } }, "accepted"],
  ])("%s", async (_title, given, expected) => {
    expect(await answerTo(given)).toBe(expected);
  });

  it("may have another template as its facade", async () => {
    const given = { type: "My::Thing", registry: SPECIFIC };
    const answer = (text: string, properties: JsonObject) =>
      answerTo({ ...given, properties, files: { "f.yaml": FACADE, "p.yaml": text } });
    expect(await answer(provider({ one: STRING }, "x", "y"), { one: "a" })).toBe(
      "Required property two for facade My::Thing missing in provider",
    );
    const both = { one: "a", two: "b" };
    expect(await answer(provider({ one: STRING, two: STRING }, "x"), both)).toBe(
      "Attribute y for facade My::Thing missing in provider",
    );
    const more = provider({ one: STRING, two: STRING, z: OPTIONAL }, "x", "y", "q");
    expect(await answer(more, both)).toBe("accepted");
  });

  it("has no facade behind a pattern, and none if it is the type's own template twice", async () => {
    const files = { "p.yaml": provider({}) };
    const pattern = { "OS::Heat::Random*": "p.yaml" };
    expect(await answerTo({ type: RANDOM, registry: pattern, files })).toBe("accepted");
    const twice = { "My::Thing": "p.yaml", resources: { r: { "My::Thing": "p.yaml" } } };
    expect(await answerTo({ type: "My::Thing", registry: twice, files })).toBe("accepted");
  });
});
