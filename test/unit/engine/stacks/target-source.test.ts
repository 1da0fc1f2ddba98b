import { describe, expect, it } from "vitest";
import { newSource } from "#lib/engine/stacks/target-source.ts";
import { isJsonObject, type Json, type JsonObject, mergedMaps } from "#lib/json.ts";
import type { LoadedTemplate, TemplateSource } from "#lib/stack/record/template-record.ts";
import { parseTemplate } from "#lib/template/parse/parse.ts";

const NO_ENVIRONMENT = { parameters: {}, parameterDefaults: {}, resourceRegistry: {} };

const template = (properties: JsonObject): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources: { thing: { type: "OS::Heat::TestResource", properties } },
});

const resourcesOf = ({ resources = {} }: JsonObject): JsonObject =>
  isJsonObject(resources) ? resources : {};

const loaded = (document: JsonObject): LoadedTemplate => {
  const source: TemplateSource = { template: document, files: {}, environment: NO_ENVIRONMENT };
  const parsed = { ...parseTemplate(document), resources: new Map(), outputs: new Map() };
  return { id: "t1", source, template: parsed, parameters: new Map() };
};

const sourceOf = (given: JsonObject, current?: LoadedTemplate) =>
  newSource(
    {},
    { template: given, files: {}, environment: null, environmentFiles: [], parameters: {} },
    current,
  );

describe("the document of a request", () => {
  const known = template({ value: "one", fail: false });

  it("is the known one if both have the same text", async () => {
    const source = await sourceOf(template({ value: "one", fail: false }), loaded(known));
    expect(source.template).toBe(known);
  });

  it.each([
    ["another value", { value: "two", fail: false }],
    ["another order", { fail: false, value: "one" }],
  ])("is its own with %s", async (_, properties) => {
    const given = template(properties);
    const source = await sourceOf(given, loaded(known));
    expect(JSON.stringify(source.template)).toBe(JSON.stringify(given));
  });

  it("has the known resources where they have the same text", async () => {
    const other: JsonObject = { type: "OS::Heat::TestResource" };
    const given = mergedMaps<Json>(known, {
      resources: { other, ...resourcesOf(template({ value: "one", fail: false })) },
    });
    const source = await sourceOf(given, loaded(known));
    expect(JSON.stringify(source.template)).toBe(JSON.stringify(given));
    expect(resourcesOf(source.template)["thing"]).toBe(resourcesOf(known)["thing"]);
    expect(resourcesOf(source.template)["other"]).toBe(other);
  });

  it("is refused as before without a version", async () => {
    const given = { resources: {} };
    await expect(sourceOf(given, loaded(known))).rejects.toThrow("version");
  });

  it("is its own if nothing is known", async () => {
    const given = template({ value: "one", fail: false });
    expect((await sourceOf(given)).template).toBe(given);
  });
});
