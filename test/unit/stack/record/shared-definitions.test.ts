import { describe, expect, it } from "vitest";
import { type JsonObject, mapOf } from "#lib/json.ts";
import { sharedDocument } from "#lib/stack/record/shared-definitions.ts";

const resource = (value: string): JsonObject => ({
  type: "OS::Heat::TestResource",
  properties: { value },
});
const document = (resources: JsonObject): JsonObject => ({
  heat_template_version: "2021-04-16",
  resources,
});
const resourcesOf = ({ resources }: JsonObject) => resources;

describe("a document that shares with known ones", () => {
  it("has the resources of each that has the same text", () => {
    const first = document({ a: resource("1"), b: resource("2") });
    const second = document({ a: resource("3"), b: resource("4") });
    const shared = sharedDocument(document({ a: resource("1"), b: resource("4") }), [
      first,
      second,
    ]);
    expect(resourcesOf(shared)).toEqual({ a: resource("1"), b: resource("4") });
    expect(resourcesOf(shared)).toHaveProperty("a", expect.toSatisfy(isIn(first, "a")));
    expect(resourcesOf(shared)).toHaveProperty("b", expect.toSatisfy(isIn(second, "b")));
  });

  it("is the known one whose text it has", () => {
    const known = [document({ a: resource("1") }), document({ a: resource("2") })];
    expect(sharedDocument(document({ a: resource("2") }), known)).toBe(known[1]);
  });

  it("is not one that has more resources, or the same in another order", () => {
    const known = document({ a: resource("1"), b: resource("2") });
    const fewer = sharedDocument(document({ a: resource("1") }), [known]);
    expect(resourcesOf(fewer)).toEqual({ a: resource("1") });
    const turned = sharedDocument(document({ b: resource("2"), a: resource("1") }), [known]);
    expect(turned).not.toBe(known);
    expect(Object.keys(resourcesOf(turned) ?? {})).toEqual(["b", "a"]);
  });

  it("keeps the order of names that are numbers", () => {
    const known = document({ a: resource("1") });
    const written = mapOf([
      ["b", resource("2")],
      ["1", resource("3")],
      ["a", resource("1")],
    ]);
    const shared = sharedDocument(document(written), [known]);
    expect(Object.keys(resourcesOf(shared) ?? {})).toEqual(["b", "1", "a"]);
  });

  it("is itself where nothing is known of it", () => {
    const own = document({ a: resource("1") });
    expect(sharedDocument(own, [])).toBe(own);
    expect(sharedDocument(own, [document({ b: resource("1") })])).toBe(own);
  });
});

const isIn =
  (known: JsonObject, name: string) =>
  (value: unknown): boolean =>
    value === Object.entries(resourcesOf(known) ?? {}).find(([other]) => other === name)?.[1];
