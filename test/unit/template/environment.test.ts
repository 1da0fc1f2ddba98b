import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { mergeEnvironments, parseEnvironment } from "#lib/template/environment.ts";
import { aTemplate } from "./build.ts";
import { failureOf } from "./oracles.ts";

const template = aTemplate({
  parameters: {
    text: { type: "string" },
    list: { type: "comma_delimited_list" },
    map: { type: "json" },
    flag: { type: "boolean" },
  },
});

const merge = (base: JsonObject, ...files: readonly JsonObject[]) =>
  mergeEnvironments(parseEnvironment(base), files.map(parseEnvironment), template);

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
  });

  it("refuses event sinks and registry entries that are not mappings", () => {
    const refusal = (source: JsonObject) => failureOf(() => parseEnvironment(source))?.message;
    expect(refusal({ resource_registry: { "My::Type": 5 } })).toBe(
      'The resource_registry entry "My::Type" is not supported.',
    );
    expect(refusal({ resource_registry: { resources: { r: { "A::B": 5 } } } })).toBe(
      'The resource_registry entry "resources" is not supported.',
    );
    expect(refusal({ event_sinks: [{ type: "zaqar-queue" }] })).toContain('"event_sinks"');
    expect(
      refusal({ resource_registry: { resources: {}, base_url: "file:///", "A::B": "A::B" } }),
    ).toBeUndefined();
  });
});

describe("mergeEnvironments", () => {
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
        parameters: { text: "b", list: ["c"], map: { x: { y: [2], z: "!" } } },
        parameter_merge_strategies,
      },
    );
    expect(merged.parameters).toEqual({
      text: "ab",
      list: "a,b,c",
      map: { x: { y: [1, 2], z: "!" } },
    });
  });

  it("refuses files that disagree about a strategy, and types that cannot be merged", () => {
    const file = (strategy: string, parameters: JsonObject) => ({
      parameters,
      parameter_merge_strategies: { default: strategy },
    });
    expect(
      failureOf(() => merge({}, file("merge", { text: "a" }), file("deep_merge", { text: "b" })))
        ?.message,
    ).toBe("Conflicting merge strategy 'deep_merge' for parameter 'text'.");
    expect(failureOf(() => merge({}, file("merge", { flag: true })))?.message).toBe(
      "Invalid parameter in environment .",
    );
  });

  it("leaves too deeply nested JSON as text, which its parameter refuses", () => {
    const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
    const file = { parameters: { map: deep }, parameter_merge_strategies: { map: "deep_merge" } };
    expect(typeof merge({}, file, file).parameters.map).toBe("string");
  });
});
