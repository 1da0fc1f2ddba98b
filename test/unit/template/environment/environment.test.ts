import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { mergeEnvironments, parseEnvironment } from "#lib/template/environment/environment.ts";
import { aTemplate } from "../build.ts";
import { failureOf } from "../failure-of.ts";

const template = aTemplate({
  parameters: {
    text: { type: "string" },
    list: { type: "comma_delimited_list" },
    map: { type: "json" },
    flag: { type: "boolean" },
  },
});

const merge = (base: JsonObject, ...files: readonly JsonObject[]) =>
  mergeEnvironments(
    parseEnvironment(base),
    files.map((file, index) => ({ name: `${index}.yaml`, environment: parseEnvironment(file) })),
    template.parameters,
  );

describe("parseEnvironment", () => {
  it("reads missing sections as empty", () => {
    expect(parseEnvironment({})).toMatchObject({
      parameters: {},
      parameterDefaults: {},
      resourceRegistry: {},
    });
  });

  it.each([
    [{ bogus: {} }, 'environment has wrong section "bogus"'],
    [{ parameters: null }, 'environment has empty section "parameters"'],
    [{ parameters: "x" }, 'the section "parameters" must be a map, found a str'],
    [
      { encrypted_param_names: { a: 1 } },
      'the section "encrypted_param_names" must be a list, found a dict',
    ],
  ])("refuses %j", (source, reason) => {
    expect(failureOf(() => parseEnvironment(source))).toEqual({
      code: "HTTPBadRequest",
      message: `Environment not in valid format: ${reason}`,
    });
    expect(failureOf(() => parseEnvironment(source, "file"))?.message).toBe(reason);
  });

  it("refuses event sinks and registry entries that are not mappings", () => {
    const failure = (source: JsonObject) => failureOf(() => parseEnvironment(source));
    const refusal = (source: JsonObject) => failure(source)?.message;
    const message = 'The resource_registry entry "My::Type" is not supported.';
    for (const [target, code] of [
      [5, "AttributeError"],
      [[1], "AttributeError"],
      [true, "AttributeError"],
      [{ a: "b" }, "NotSupported"],
    ] as const) {
      const source = { resource_registry: { "My::Type": target } };
      expect(failure(source)).toEqual({ code, message });
    }
    expect(refusal({ resource_registry: { resources: { r: { "A::B": 5 } } } })).toBe(
      'The resource_registry entry "resources" is not supported.',
    );
    expect(refusal({ event_sinks: [{ type: "zaqar-queue" }] })).toContain('"event_sinks"');
    expect(
      refusal({ resource_registry: { resources: {}, base_url: "file:///", "A::B": "A::B" } }),
    ).toBeUndefined();
  });
});

describe("the registry of an environment", () => {
  it("has a limit of patterns for names", () => {
    const patterns = (count: number) => ({
      resource_registry: {
        resources: Object.fromEntries(
          Array.from({ length: count }, (_, at) => [`${String(at).padStart(15, "0")}*`, {}]),
        ),
      },
    });
    expect(failureOf(() => parseEnvironment(patterns(1_024)))).toBeNull();
    expect(failureOf(() => parseEnvironment(patterns(1_025)))?.message).toBe(
      "Request limit exceeded: The patterns in the resource_registry have more than 16384 characters.",
    );
  });
});

describe("mergeEnvironments", () => {
  it.each([
    ["a text", "text", "x".repeat(10_000)],
    ["a list", "list", Array.from({ length: 2_000 }, String)],
    ["a map", "map", { a: "x".repeat(10_000) }],
  ])("refuses %s that grows without a bound", (_, name, value) => {
    const file = {
      parameters: { [name]: value },
      parameter_merge_strategies: { default: "deep_merge" },
    };
    const files = Array.from({ length: 1_000 }, () => file);
    expect(failureOf(() => merge({}, ...files))?.message).toBe(
      "Request limit exceeded: The values of the environment files have more than 16777216 bytes when they are merged.",
    );
    expect(failureOf(() => merge({}, ...files.slice(0, 20)))).toBeNull();
  });

  it("refuses to copy a large registry again and again", () => {
    const resource_registry = Object.fromEntries(
      Array.from({ length: 5_000 }, (__, at) => [`T${at}`, "OS::Heat::None"]),
    );
    const file = { name: "e.yaml", environment: parseEnvironment({ resource_registry }) };
    const files = Array.from({ length: 1_000 }, () => file);
    const base = parseEnvironment({});
    const run = () => mergeEnvironments(base, files, template.parameters);
    expect(failureOf(run)?.code).toBe("RequestLimitExceeded");
  });

  it("lets files win over the request's values, in their order", () => {
    const merged = merge(
      { parameters: { text: "request", list: "request" } },
      { parameters: { text: "first" }, parameter_defaults: { other: 1 } },
      { parameters: { text: "second" } },
    );
    expect(merged.parameters).toEqual({ text: "second", list: "request" });
    expect(merged.parameterDefaults).toEqual({ other: 1 });
  });

  it("merges with the strategies of the files", () => {
    const parameter_merge_strategies = { default: "merge", map: "deep_merge" };
    const merged = merge(
      {},
      {
        parameters: { text: "a", list: "a,b", map: { x: { y: [1] } } },
        parameter_merge_strategies,
      },
      {
        parameters: { text: "b", list: "c", map: { x: { y: [2], z: "!" } } },
        parameter_merge_strategies,
      },
    );
    expect(merged.parameters).toEqual({
      text: "ab",
      list: "a,b,c",
      map: { x: { y: [1, 2], z: "!" } },
    });
  });

  const file = (parameters: JsonObject, strategies?: JsonObject): JsonObject => ({
    parameters,
    ...(strategies === undefined ? {} : { parameter_merge_strategies: strategies }),
  });
  const merging = { default: "merge" };

  it("lets the first file with a value set the strategy, for files that name none too", () => {
    const values = (...files: readonly JsonObject[]) => merge({}, ...files).parameters;
    expect(values(file({ text: "a" }, { text: "merge" }), file({ text: "b" }))).toEqual({
      text: "ab",
    });
    expect(
      values(file({ text: "a" }, merging), file({ text: "b" }, { default: "deep_merge" })),
    ).toEqual({ text: "ab" });
    expect(values(file({ list: ["a", 1] }, merging), file({ list: [true] }))).toEqual({
      list: ["a", 1, true],
    });
    expect(
      values(file({ text: "a" }, { text: "bogus", default: "merge" }), file({ text: "b" })),
    ).toEqual({ text: "ab" });
  });

  it("takes unknown parameters and nulls from the first values only", () => {
    const merged = merge(
      {},
      { parameter_defaults: { other: 1, text: null } },
      { parameter_defaults: { other: 2, more: 3, list: "a", map: null } },
    );
    expect(merged.parameterDefaults).toEqual({ other: 1, text: null, list: "a" });
  });

  it("takes nothing out of a registry with a null", () => {
    const registry = (...files: readonly JsonObject[]) =>
      merge({}, ...files.map((resource_registry) => ({ resource_registry }))).resourceRegistry;
    expect(registry({ "A::B": "C::D" }, { "A::B": null, "E::F": "G::H" })).toEqual({
      "A::B": "C::D",
      "E::F": "G::H",
    });
  });

  it("refuses a file that changes a strategy, and shows the file's name", () => {
    expect(
      failureOf(() =>
        merge({}, file({ text: "a" }, merging), file({ text: "b" }, { text: "overwrite" })),
      ),
    ).toEqual({
      code: "ConflictingMergeStrategyForParam",
      message: "Conflicting merge strategy 'overwrite' for parameter 'text' in file '1.yaml'.",
    });
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ flag: true }, { flag: false }, "Invalid parameter in environment ."],
    [{ flag: true }, { flag: "no" }, "Invalid merge strategy 'merge' for parameter 'flag'."],
    [{ text: "a" }, { text: 1 }, "Invalid parameter in environment ."],
    [{ text: 1 }, { text: "a" }, "sequence item 0: expected str instance, int found"],
    [{ list: "a" }, { list: ["b"] }, "'str' object has no attribute 'extend'"],
    [{ list: ["a"] }, { list: "b" }, "sequence item 0: expected str instance, list found"],
    [{ map: { a: 1 } }, { map: "[1]" }, "'list' object has no attribute 'items'"],
    [{ map: '{"a": 1}' }, { map: { b: 1 } }, "'str' object does not support item assignment"],
    [{ map: [1] }, { map: { b: 1 } }, "list indices must be integers or slices, not str"],
    [
      { map: { a: 1 } },
      { map: "{a" },
      "Invalid parameter in environment Expecting property name enclosed in double quotes: line 1 column 2 (char 1).",
    ],
  ])("refuses to merge %j with %j, as Heat does", (first, second, message) => {
    const refused = failureOf(() => merge({}, file(first, merging), file(second)));
    expect(refused?.message).toBe(message);
  });

  it("refuses to merge too deeply nested JSON", () => {
    const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
    const nested = file({ map: deep }, { map: "deep_merge" });
    expect(failureOf(() => merge({}, nested, nested))?.message).toBe(
      "Invalid parameter in environment nested more than 200 levels deep.",
    );
  });
});
