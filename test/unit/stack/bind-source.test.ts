import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#lib/json.ts";
import { bindSource } from "#lib/stack/bind-source.ts";

const bound = async (template: JsonObject, size: string) => {
  const environment = { parameters: {}, parameterDefaults: {}, resourceRegistry: {} };
  const parameters = new Map<string, Json>([["size", size]]);
  const source = { template, files: {}, environment };
  return (await bindSource({}, source, parameters, async () => null)).template;
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
