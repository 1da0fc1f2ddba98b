import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#lib/json.ts";
import { bindSource } from "#lib/stack/record/bind-source.ts";
import type { Template } from "#lib/template/template.ts";

const bound = async (template: JsonObject, size: string, former?: Template) => {
  const environment = { parameters: {}, parameterDefaults: {}, resourceRegistry: {} };
  const parameters = new Map<string, Json>([["size", size]]);
  const source = { template, files: {}, environment };
  return (await bindSource({}, source, parameters, async () => null, { former })).template;
};

const templateWith = (r: JsonObject): JsonObject => ({
  heat_template_version: "2021-04-16",
  parameters: { size: { type: "string" } },
  resources: { r: { type: "T", ...r } },
});

describe("a template whose definitions read no parameter", () => {
  it("is bound once for all its stacks", async () => {
    const source = templateWith({
      properties: { size: { get_param: "size" } },
      deletion_policy: "Retain",
    });
    expect(await bound(source, "small")).toBe(await bound(source, "large"));
  });

  it.each<[string, JsonObject]>([
    ["a condition", { condition: { equals: [{ get_param: "size" }, "small"] } }],
    ["a deletion policy", { deletion_policy: { get_param: "size" } }],
    ["an if", { properties: { p: { if: [{ equals: [{ get_param: "size" }, "a"] }, 1, 2] } } }],
  ])("is another one with %s that reads one", async (_, definition) => {
    const source = templateWith(definition);
    expect(await bound(source, "Delete")).not.toBe(await bound(source, "Retain"));
  });
});

describe("a template that has resources in common with a former one", () => {
  const VERSION = "2021-04-16";
  const a = { type: "T", properties: { p: { get_param: "size" } } };
  const b = { type: "T", depends_on: ["a"] };
  const c = { type: "T", properties: { p: { get_resource: "a" } } };
  const withResources = (resources: JsonObject, version = VERSION): JsonObject => ({
    heat_template_version: version,
    parameters: { size: { type: "string" } },
    resources,
  });
  const both = async (former: JsonObject, wanted: JsonObject) => {
    const known = await bound(former, "s");
    // A copy of the document that shares its definitions.
    const alone = await bound({ ...wanted }, "s");
    return { known, alone, shared: await bound(wanted, "s", known) };
  };

  it.each<[string, JsonObject]>([
    ["the same ones", { a, b, c }],
    ["another order", { c, b, a }],
    ["one more", { a, b, c, d: { type: "T", depends_on: ["b"] } }],
    ["one less", { a, b }],
    ["another definition", { a: { type: "T" }, b, c }],
    ["other names", { a, x: c, b }],
    ["a condition", { a, b: { ...b, condition: false }, c }],
  ])("is bound as if alone, with %s", async (_, resources) => {
    const { shared, alone } = await both(withResources({ a, b, c }), withResources(resources));
    expect(shared).toEqual(alone);
    expect([...shared.resources.keys()]).toEqual([...alone.resources.keys()]);
  });

  it("has the former's definitions of the same objects, if they wait for the same", async () => {
    const wanted = withResources({ a: { type: "T" }, b, c, d: { type: "T" } });
    const { shared, known } = await both(withResources({ a, b, c }), wanted);
    const names = [...shared.resources.keys()].filter(
      (name) => shared.resources.get(name) === known.resources.get(name),
    );
    expect(names).toEqual(["b", "c"]);
  });

  it("may no longer wait for what is not there", async () => {
    const known = await bound(withResources({ a, b, c }), "s");
    await expect(bound(withResources({ b }), "s", known)).rejects.toThrow("a");
    await expect(bound(withResources({ c }), "s", known)).rejects.toThrow("a");
  });

  it("takes nothing from a former one of another version, or one that read a parameter", async () => {
    const older = await both(withResources({ a, b, c }, "2018-08-31"), withResources({ a, b, c }));
    expect(older.shared.resources.get("b")).not.toBe(older.known.resources.get("b"));
    const read = { type: "T", deletion_policy: { get_param: "size" } };
    const known = await bound(withResources({ a, read }), "Retain");
    const shared = await bound(withResources({ a, read }), "Delete", known);
    expect(shared.resources.get("read")?.deletionPolicy).toBe("Delete");
  });
});
