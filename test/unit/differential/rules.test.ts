import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#lib/json.ts";
import { RULES, rulesFor } from "#test/differential/rules.ts";

const PAGE = new URL("../../../docs/compatibility.md", import.meta.url);
const HEADING = "### Differences on generated questions";

const inOutput = (value: Json): JsonObject => ({
  template: { heat_template_version: "2021-04-16", outputs: { o: { value } } },
});
const ids = (question: JsonObject): readonly string[] => rulesFor(question).map(({ id }) => id);

describe("the differences on generated questions", () => {
  it("are those of the table in the documents", () => {
    const [, section = ""] = readFileSync(PAGE, "utf8").split(HEADING);
    const rows = section.split("\n").filter((line) => /^\| [a-z]+(?:-[a-z]+)+ \|/.test(line));
    expect(rows).toEqual(RULES.map(({ id, what, reason }) => `| ${id} | ${what} | ${reason} |`));
  });

  it.each<[string, string, JsonObject, readonly string[]]>([
    ["root", "OS::Heat::Value", { type: { a: 1 } }, ["read-when-made"]],
    ["template", "OS::Heat::Value", { type: { a: 1 } }, []],
    ["root", "OS::Heat::Value", { type: "json" }, []],
    ["root", "OS::Heat::None", { type: 1 }, []],
    ["group", "OS::Heat::None", { a: null }, ["nulls-in-groups"]],
    ["scaling group", "OS::Heat::None", { a: null }, []],
    ["group", "OS::Heat::None", { a: 1 }, []],
    ["root", "OS::Heat::ResourceChain", { resources: ["a", 1] }, ["types-that-are-no-text"]],
    ["root", "OS::Heat::ResourceChain", { resources: ["a"] }, []],
    ["root", "OS::Heat::AccessPolicy", { AllowedResources: [[]] }, ["policies-of-no-text"]],
    ["root", "OS::Heat::AccessPolicy", { AllowedResources: ["a"] }, []],
    ["template", "OS::Heat::RandomString", { sequence: "x" }, ["unknown-sequences"]],
    ["template", "OS::Heat::RandomString", { length: 1 }, []],
  ])("apply in a %s to %s with %j: %j", (place, type, properties, expected) => {
    expect(ids({ place, type, properties })).toEqual(expected);
  });

  it.each<[Json, readonly string[]]>([
    [{ list_join: [",", ["a"]] }, []],
    [{ list_join: [",", { "Fn::Select": { get_param: "l" } }] }, ["call-as-arguments"]],
    [{ "Fn::Select": [0, ["a"]] }, []],
    [{ "Fn::FindInMap": ["m", "k", "v"] }, ["find-in-map"]],
    [{ yaql: { expression: "$.data.set(a, 1)" } }, ["sets-as-lists"]],
    [{ yaql: { expression: "$.data.sum()" } }, []],
    [{ yaql: { expression: "pow(-1, 0.5)" } }, ["complex-numbers"]],
    [{ if: [{ contains: [1, { yaql: { expression: "1" } }] }, 1, 2] }, ["yaql-in-conditions"]],
    [{ if: ["c", { yaql: { expression: "1" } }, 2] }, []],
    [{ get_attr: ["r", "a", { k: "v" }] }, ["names-of-resources"]],
    [{ get_attr: ["r", "a", { get_param: "k" }] }, []],
    [{ get_resource: ["r"] }, ["names-of-resources"]],
    [{ resource_facade: { get_param: "k" } }, ["computed-facade"]],
    [{ resource_facade: "metadata" }, []],
    [{ get_resource: { get_param: "s" } }, ["computed-names"]],
    [{ get_resource: "r" }, []],
    [{ yaql: { expression: "$.data.first()" } }, ["end-of-iteration"]],
    [{ if: ["c", 1, 2] }, []],
    [{ make_url: { path: { get_attr: ["r", "text"] } } }, ["first-of-several-errors"]],
  ])("belong to the question %j", (value, expected) => {
    expect(ids(inOutput(value))).toEqual(expected);
  });
});
