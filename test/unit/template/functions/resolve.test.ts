import { describe, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import type { Json } from "#lib/json.ts";
import {
  resolveOutputs,
  resolveProperties,
  resolveValue,
} from "#lib/template/functions/resolve.ts";
import type { Scope } from "#lib/template/scope.ts";
import { aScope, aTemplate, references } from "../build.ts";
import { failureOf } from "../failure-of.ts";

const template = aTemplate({
  parameters: {
    password: { type: "string", hidden: true },
    pin: { type: "number", hidden: true },
  },
  resources: {
    a: { type: "T" },
    r: {
      type: "T",
      properties: {
        __proto__key: 1,
        url: { list_join: ["/", ["http:", { get_attr: ["a", "host"] }]] },
        nested: [{ deep: { get_resource: "a" } }],
      },
    },
    bad: { type: "T", properties: { fine: 1, p: { list_join: [",", [{ get_param: "pin" }]] } } },
  },
  outputs: {
    good: { value: { get_attr: ["a", "host"] } },
    lost: { value: { get_resource: "nope" } },
    leak: { value: { get_file: { get_param: "password" } } },
  },
});

const scope = aScope({
  parameters: new Map<string, Json>([
    ["password", "hunter2"],
    ["pin", 47],
  ]),
  resource: references({ a: { refId: "i-1", attributes: { host: "h" }, live: true } }),
});
const definition = (name: string) => present(template.resources.get(name), name);
const outputValue = (name: string, within: Scope) =>
  resolveOutputs(template, [present(template.outputs.get(name), name)], within)[0];

describe("resolving", () => {
  it("replaces calls at every depth and keeps all else", () => {
    expect(resolveProperties(template, definition("r"), scope)).toEqual({
      __proto__key: 1,
      url: "http:/h",
      nested: [{ deep: "i-1" }],
    });
  });

  it("keeps a key named __proto__", () => {
    const snippet: Json = JSON.parse('{"__proto__": {"get_resource": "a"}}');
    expect(JSON.stringify(resolveValue(template, snippet, scope, "x"))).toBe('{"__proto__":"i-1"}');
  });

  it("names the property that fails, and hides the value of a hidden parameter", () => {
    expect(failureOf(() => resolveProperties(template, definition("bad"), scope))).toEqual({
      code: "StackValidationFailed",
      message:
        "Property error: resources.bad.properties.p: Items to join must be string, map or list not ******",
    });
  });

  it("shows the value of an output or its error", () => {
    expect(outputValue("good", scope)).toEqual({ value: "h" });
    expect(outputValue("lost", scope)).toEqual({
      value: null,
      error: 'The specified reference "nope" (in unknown) is incorrect.',
      errorCode: "InvalidTemplateReference",
    });
    expect(outputValue("leak", scope)).toEqual({
      value: null,
      error: 'No content found in the "files" section for get_file path: ******',
      errorCode: "StackValidationFailed",
    });
  });

  it("passes on other errors of the scope", () => {
    const broken = aScope({
      resource: () => {
        throw new TypeError("a bug");
      },
    });
    expect(() => outputValue("good", broken)).toThrow(TypeError);
  });
});
