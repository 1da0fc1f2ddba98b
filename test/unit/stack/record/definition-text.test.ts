/** Sealed texts are compressed against this text, so stored texts depend on every byte of it. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { definitionText } from "#lib/stack/record/reference.ts";
import { EMPTY_TEMPLATE_SOURCE } from "#lib/template/template.ts";

const sourceOf = (template: JsonObject) => ({
  template,
  files: { "install.sh": '#!/bin/sh\necho "hello"\n', "other.sh": "exit 1" },
  environment: {
    parameters: { flavor: "m1.large" },
    parameterDefaults: { image: { name: "debian", id: 7 } },
    resourceRegistry: {},
  },
});

const hot = sourceOf({
  heat_template_version: "2018-08-31",
  parameters: { flavor: { type: "string", default: "m1.small" }, unused: { default: "x" } },
  resources: {
    web: {
      type: "OS::Nova::Server",
      metadata: { a: "other.sh" },
      properties: {
        user_data: { get_file: "install.sh" },
        image: { get_param: "image" },
        flavor: { get_param: "flavor" },
        count: 2,
      },
    },
    bare: { type: "OS::Heat::None" },
  },
});

describe("the text of a definition", () => {
  it("has the files and parameters that the properties name, and then these, in one order", () => {
    expect(definitionText(hot, "web")).toBe(
      [
        '"m1.large"',
        '"m1.small"',
        '{"id":7,"name":"debian"}',
        '"#!/bin/sh\\necho \\"hello\\"\\n"',
        '{"count":2,"flavor":{"get_param":"flavor"},"image":{"get_param":"image"},"user_data":{"get_file":"install.sh"}}',
      ].join("\n"),
    );
  });

  it("is found in CloudFormation's format too", () => {
    const cfn = sourceOf({
      AWSTemplateFormatVersion: "2010-09-09",
      Parameters: { flavor: { Type: "String", Default: "m1.tiny" } },
      Resources: { web: { Type: "AWS::EC2::Instance", Properties: { t: { Ref: "flavor" } } } },
    });
    expect(definitionText(cfn, "web")).toBe('"m1.large"\n"m1.tiny"\n{"t":{"Ref":"flavor"}}');
  });

  it.each(["bare", "absent", "constructor"])("is none: %s", (name) => {
    expect(definitionText(hot, name)).toBeNull();
    expect(definitionText(sourceOf(EMPTY_TEMPLATE_SOURCE), name)).toBeNull();
  });

  it("of a group's member has the definitions of the group", () => {
    const group = {
      kind: "resource group",
      isSequence: false,
      referenced: [],
      isSecret: false,
      record: {
        definitions: [{ body: { type: "T", properties: { v: "%index%" } }, indexVar: "%index%" }],
        members: [],
        latest: 0,
        skip: [],
        size: 0,
        cooldownMs: 0,
        cooldownEnd: 0,
        batches: null,
        trim: [],
      },
    } as const;
    expect(definitionText({ ...sourceOf({}), group }, "7")).toBe(
      '[{"properties":{"v":"%index%"},"type":"T"}]',
    );
  });

  it("stays short however many files and parameters are named", () => {
    const names = Array.from({ length: 100 }, (_, at) => `file_${at}`);
    const files = Object.fromEntries(names.map((name) => [name, "x".repeat(10_000)]));
    const template = { resources: { web: { type: "T", properties: { names } } } };
    const text = definitionText({ ...sourceOf(template), files }, "web") ?? "";
    expect(text.length).toBeLessThan(40_000);
  });
});
