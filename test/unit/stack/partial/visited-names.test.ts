import { describe, expect, it } from "vitest";
import { type Json, type JsonObject, parseJson } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { isAtLastGood, namesToVisit } from "#lib/stack/partial/visited-names.ts";
import { aGraph, anOperation, aStack } from "#test/contract/records.ts";
import { TYPES } from "../../convergence/decisions.ts";
import { aRow } from "../../convergence/rows.ts";
import { type Given, PLAIN, PLAIN_TYPES, planned, rowsOf, target, visited } from "../targets.ts";

const p = (value: Json): JsonObject => ({ properties: { p: value } });
const to = (name: string): JsonObject => p({ get_resource: name });
const APART: Given = { resources: { a: p("1"), b: p("1") } };

it("lets others go on between two resources", async () => {
  const names = Array.from({ length: 50 }, (_, at) => `r${at}`);
  const resources = Object.fromEntries(names.map((name) => [name, p("1")]));
  const before = await target({ resources });
  let pauses = 0;
  const turns = {
    pause: () => {
      pauses += 1;
      return null;
    },
  };
  const update = { before, target: before, rows: planned(rowsOf(before)), types: PLAIN_TYPES };
  expect(await namesToVisit({ turns }, update)).toEqual(new Set());
  expect(pauses).toBeGreaterThan(names.length);
});

describe("P24: what differs in itself is visited", () => {
  it.each<[string, JsonObject, JsonObject]>([
    ["a property", p("1"), p("2")],
    ["a property that is gone", p("1"), {}],
    ["the type", {}, { type: "Test::Other" }],
    ["depends_on", {}, { depends_on: "b" }],
    ["the metadata", {}, { metadata: { m: "1" } }],
    ["the deletion policy", {}, { deletion_policy: "Retain" }],
    ["the update policy", {}, { update_policy: { u: "1" } }],
    ["the external id", {}, { external_id: "x" }],
  ])("%s", async (_, before, after) => {
    const others = { b: p("1"), c: p("1") };
    const seen = await visited(
      { resources: { a: before, ...others } },
      { resources: { a: after, ...others } },
    );
    expect(seen).toBe("a");
  });

  it.each<[string, string, string]>([
    [
      "the kind of a number",
      '{"str_replace":{"template":"n","params":{"n":1}}}',
      '{"str_replace":{"template":"n","params":{"n":1.0}}}',
    ],
    [
      "the order of a map",
      '{"make_url":{"query":{"a":1,"b":2}}}',
      '{"make_url":{"query":{"b":2,"a":1}}}',
    ],
  ])("%s, where a function may print it", async (_, before, after) => {
    const [one, other] = [p(parseJson(before)), p(parseJson(after))];
    expect(await visited({ resources: { a: one } }, { resources: { a: other } })).toBe("a");
  });

  it("the kind of a number in a parameter", async () => {
    const parameters = { n: { type: "number" } };
    const given = { resources: { a: p({ get_param: "n" }), b: p("1") }, sections: { parameters } };
    const after = { ...given, parameters: { n: parseJson("1.0") } };
    expect(await visited({ ...given, parameters: { n: 1 } }, after)).toBe("a");
  });

  it("visits nothing where only descriptions, the order of keys and outputs differ", async () => {
    const before = { resources: { a: { properties: { p: "1", q: "2" } } } };
    const after: Given = {
      resources: { a: { properties: { q: "2", p: "1" }, description: "another" } },
      sections: { description: "another", outputs: { o: { value: "1" } } },
    };
    expect(await visited(before, after)).toBe("");
  });

  it("visits what is added, and those that stand between it and what is removed", async () => {
    const before = { resources: { a: p("1"), b: { depends_on: "a" }, c: { depends_on: "b" } } };
    expect(await visited(before, { resources: { ...before.resources, d: to("a") } })).toBe("d");
    const removed = { resources: { a: p("2"), b: { depends_on: "a" } } };
    expect(await visited(before, removed)).toBe("a b");
    expect(await visited(before, { resources: { a: p("1"), b: { depends_on: "a" } } })).toBe("");
  });
});

describe("P24: what a definition reads", () => {
  const sections = {
    parameters: {
      x: { type: "string", default: "1" },
      y: { type: "string", default: "1" },
      which: { type: "string", default: "x" },
      list: { type: "comma_delimited_list", default: "1,2" },
      secret: { type: "string", default: "1", hidden: true },
    },
    conditions: { isOn: { equals: [{ get_param: "y" }, "2"] } },
  };
  const reading = (value: Json): Given["resources"] => ({ a: p(value), b: p("1") });

  it.each<[string, Json, JsonObject, string]>([
    ["a parameter", { get_param: "x" }, { x: "2" }, "a"],
    ["another parameter", { get_param: "x" }, { y: "2" }, ""],
    ["a hidden parameter", { get_param: "secret" }, { secret: "2" }, "a"],
    ["a part of a parameter", { get_param: ["list", 1] }, { list: "1,3" }, "a"],
    ["a computed parameter", { get_param: [{ get_param: "which" }] }, { y: "2" }, "a"],
    ["a parameter deep inside", { list_join: [",", [{ get_param: "y" }]] }, { y: "2" }, "a"],
    ["the name of the stack", { get_param: "OS::stack_name" }, { x: "2" }, ""],
    ["a condition", { if: ["isOn", "1", "2"] }, { y: "2" }, "a"],
    ["a condition that gives the same", { if: ["isOn", "1", "2"] }, { y: "3" }, ""],
  ])("%s", async (_, value, parameters, expected) => {
    const resources = reading(value);
    const seen = await visited({ resources, sections }, { resources, sections, parameters });
    expect(seen).toBe(expected);
  });

  it("a parameter that is hidden from now on, or is not any more", async () => {
    const resources = { a: p({ get_param: "x" }), b: to("a"), c: p("1") };
    const x = { type: "string", default: "1", hidden: true };
    const hiding = { parameters: { ...sections.parameters, x } };
    expect(await visited({ resources, sections }, { resources, sections: hiding })).toBe("a b");
    expect(await visited({ resources, sections: hiding }, { resources, sections })).toBe("a b");
  });

  it.each<[string, JsonObject]>([
    ["metadata", { metadata: { m: { get_param: "x" } } }],
    ["an update policy", { update_policy: { u: { get_param: "x" } } }],
  ])("a parameter in %s", async (_, definition) => {
    const resources = { a: definition, b: p("1") };
    const after = { resources, sections, parameters: { x: "2" } };
    expect(await visited({ resources, sections }, after)).toBe("a");
  });

  it("reads a file, and a computed name reads all", async () => {
    const resources = {
      a: p({ get_file: "one" }),
      b: p({ get_file: "two" }),
      c: p({ get_file: { get_param: "x" } }),
    };
    const files = { one: "1", two: "1", "1": "" };
    const after = { resources, sections, files: { ...files, one: "2" } };
    expect(await visited({ resources, sections, files }, after)).toBe("a c");
  });

  it("follows the mapping of the type by the environment", async () => {
    const registry = { [PLAIN]: "Test::Mapped" };
    const types = new Map(PLAIN_TYPES).set("Test::Mapped", TYPES.plain);
    expect(await visited(APART, { ...APART, registry }, types)).toBe("a b");
    const one = { resources: { a: registry } };
    expect(await visited(APART, { ...APART, registry: one }, types)).toBe("a");
  });

  it("is visited with hooks in either environment, by their patterns too", async () => {
    const registry = { resources: { "a*": { hooks: "pre-update" } } };
    expect(await visited(APART, { ...APART, registry })).toBe("a");
    expect(await visited({ ...APART, registry }, APART)).toBe("a");
    const restricted = { resources: { a: { restricted_actions: "update" } } };
    expect(await visited(APART, { ...APART, registry: restricted })).toBe("");
  });

  it("goes away and comes with its condition", async () => {
    const resources = { a: { condition: "isOn", ...p("1") }, b: p("1") };
    const on = { resources, sections, parameters: { y: "2" } };
    expect(await visited({ resources, sections }, on)).toBe("a");
    expect(await visited(on, { resources, sections })).toBe("");
  });
});

describe("P24: everything is visited", () => {
  it.each<[string, Partial<Given>]>([
    ["another version of the language", { version: "2018-08-31" }],
    [
      "another facade",
      { more: { facade: { metadata: {}, deletionPolicy: "", updatePolicy: {} } } },
    ],
    ["another name of the stack", { more: { stack: { id: "1", name: "n", tenant: "t" } } }],
  ])("%s", async (_, changed) => {
    expect(await visited(APART, { ...APART, ...changed })).toBe("all");
  });

  it("other mappings of CloudFormation's format", async () => {
    const cfn = async (value: string) => {
      const template: JsonObject = {
        AWSTemplateFormatVersion: "2010-09-09",
        Mappings: { M: { k: { v: value } } },
        Resources: { a: { Type: PLAIN, Properties: { p: { "Fn::FindInMap": ["M", "k", "v"] } } } },
      };
      return target({ resources: {}, more: { template } });
    };
    const [before, same, other] = [await cfn("1"), await cfn("1"), await cfn("2")];
    const rows = planned(rowsOf(before));
    const situation = { before, rows, types: PLAIN_TYPES };
    expect(await namesToVisit({}, { ...situation, target: same })).toEqual(new Set());
    expect(await namesToVisit({}, { ...situation, target: other })).toBeNull();
  });

  it.each<[string, (rows: readonly Resource[]) => readonly Resource[]]>([
    ["a marked row", ([a, b]) => rowsWith(a, { action: "CHECK", status: "FAILED" }, b)],
    ["a row that was never created", ([a, b]) => rowsWith(a, { action: "INIT" }, b)],
    [
      "a row whose deletion failed",
      ([a, b]) => rowsWith(a, { action: "DELETE", status: "FAILED" }, b),
    ],
    ["a row with an operation", ([a, b]) => rowsWith(a, { operation: anOperation() }, b)],
    ["a name without a row", ([a]) => rowsWith(a, {})],
    ["two rows of a name", ([a, b]) => [...rowsWith(a, {}, b), aRow({ id: "third", name: "a" })]],
    ["a row of no name", ([a, b]) => [...rowsWith(a, {}, b), aRow({ id: "third", name: "c" })]],
    ["a row of another name", ([a]) => [...rowsWith(a, {}), aRow({ id: "third", name: "c" })]],
  ])("%s", async (_, changed) => {
    const before = await target(APART);
    const rows = changed(rowsOf(before));
    const after = await target({ resources: { a: p("1"), b: p("2") } });
    expect(
      await namesToVisit({}, { before, target: after, rows: planned(rows), types: PLAIN_TYPES }),
    ).toBeNull();
  });

  it("leaves tombstones out of account", async () => {
    const before = await target(APART);
    const tombstone = aRow({ id: "third", name: "a", action: "DELETE" });
    const rows = [...rowsOf(before), tombstone];
    const after = await target({ resources: { a: p("1"), b: p("2") } });
    const seen = await namesToVisit(
      {},
      { before, target: after, rows: planned(rows), types: PLAIN_TYPES },
    );
    expect(seen).toEqual(new Set(["b"]));
  });

  it("a barrier among the rows", async () => {
    const group = { ...TYPES.plain, ordering: "barrier" } satisfies ResourceType;
    const types = new Map([...PLAIN_TYPES, ["Test::Barrier", group] as const]);
    const resources = { a: { type: "Test::Barrier" }, b: p("1") };
    expect(await visited({ resources }, { resources: { ...resources, b: p("2") } }, types)).toBe(
      "all",
    );
  });
});

const rowsWith = (
  row: Resource | undefined,
  fields: Partial<Resource>,
  ...others: readonly (Resource | undefined)[]
): readonly Resource[] =>
  [row === undefined ? undefined : { ...row, ...fields }, ...others].flatMap((one) => one ?? []);

describe("P24: types that are always visited", () => {
  const { plain } = TYPES;
  it.each<[string, ResourceType | null]>([
    ["an unknown one", null],
    ["one that nests a stack", TYPES.nesting],
    ["one that every update replaces", TYPES["always new"]],
    [
      "one that some updates replace",
      { ...plain, schema: { ...plain.schema, isReplacedByUpdate: () => false } },
    ],
  ])("%s", async (_, type) => {
    const types = new Map([...PLAIN_TYPES, ["Test::Special", type] as const]);
    const resources = { a: { type: "Test::Special" }, b: p("1") };
    expect(await visited({ resources }, { resources }, types)).toBe("a");
  });

  it("one that reads metadata, if that has calls", async () => {
    const reading = { ...plain, schema: { ...plain.schema, readsMetadata: () => null } };
    const types = new Map([[PLAIN, reading]]);
    const with_ = (m: Json) => ({ resources: { a: { metadata: { m } }, b: p("1") } });
    const computed = with_({ get_resource: "b" });
    expect(await visited(with_("1"), with_("1"), types)).toBe("");
    expect(await visited(computed, computed, types)).toBe("a");
  });
});

describe("P24: when an update may be partial", () => {
  const stack = aStack({ action: "UPDATE", lastGood: "good" });
  const former = aGraph({ action: "CREATE", templateId: "good" });

  it.each(["CREATE", "ADOPT", "UPDATE", "RESTORE", "ROLLBACK"] as const)("after %s", (action) => {
    expect(isAtLastGood(stack, { ...former, action })).toBe(true);
  });

  it.each(["CHECK", "SUSPEND", "RESUME", "SNAPSHOT", "DELETE"] as const)(
    "not after %s",
    (action) => {
      expect(isAtLastGood(stack, { ...former, action })).toBe(false);
    },
  );

  it.each([
    ["another action", { action: "ROLLBACK" }, former],
    ["a user's wish", { visitsAll: true }, former],
    ["a traversal that was overtaken", { overtook: true }, former],
    ["a target that was not reached", { lastGood: "older" }, former],
    ["a graph that has expired", {}, null],
  ] as const)("not with %s", (_, fields, graph) => {
    expect(isAtLastGood({ ...stack, ...fields }, graph)).toBe(false);
  });
});
