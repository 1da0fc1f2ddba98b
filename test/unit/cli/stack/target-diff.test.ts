import picocolors from "picocolors";
import { describe, expect, it } from "vitest";
import { patchLines, targetAfter, targetPatches } from "../../../../apps/cli/stack/target-diff.ts";

const CURRENT = {
  template: {
    heat_template_version: "2018-08-31",
    parameters: { size: { type: "number" }, key: { type: "string", hidden: true } },
    resources: { one: { type: "OS::Heat::RandomString" } },
  },
  environment: {
    parameters: { size: 1.5, key: "******" },
    parameter_defaults: {},
    resource_registry: { resources: {} },
    encrypted_param_names: [],
    event_sinks: [],
  },
  files: { "file:///run.sh": "echo one\necho two\n" },
};
const PLAIN = picocolors.createColors(false);
const NOTHING = { keeps: true, environment: {}, files: {}, parameters: {} };

const linesOf = (request: Parameters<typeof targetAfter>[1]): readonly string[] =>
  patchLines(targetPatches(CURRENT, targetAfter(CURRENT, request)), PLAIN);

describe("the difference", () => {
  it("is none for the target that the stack has", () => {
    const { template, files } = CURRENT;
    expect(linesOf(NOTHING)).toEqual([]);
    const same = { template, files, environment: { parameters: { key: "x", size: 1.5 } } };
    expect(linesOf({ ...same, keeps: false, parameters: {} })).toEqual([]);
  });

  it("is in unified form, part by part", () => {
    const template = {
      ...CURRENT.template,
      resources: { one: { type: "OS::Heat::RandomString", properties: { length: 9 } } },
    };
    const files = { "file:///run.sh": "echo one\necho three\n" };
    const environment = { parameters: { size: 2, key: "x" } };
    expect(linesOf({ keeps: false, template, files, environment, parameters: {} })).toEqual([
      "--- template (now)",
      "+++ template (then)",
      "@@ -8,3 +8,5 @@",
      " resources:",
      "   one:",
      "     type: OS::Heat::RandomString",
      "+    properties:",
      "+      length: 9",
      "--- environment (now)",
      "+++ environment (then)",
      "@@ -1,6 +1,6 @@",
      " parameters:",
      '   key: "******"',
      "-  size: 1.5",
      "+  size: 2",
      " parameter_defaults: {}",
      " resource_registry:",
      "   resources: {}",
      "--- file:///run.sh (now)",
      "+++ file:///run.sh (then)",
      "@@ -1,2 +1,2 @@",
      " echo one",
      "-echo two",
      "+echo three",
    ]);
  });

  // Heat reads any text that is not empty as true.
  it("shows no value of a hidden parameter, neither a new nor a former one", () => {
    const template = {
      heat_template_version: "2018-08-31",
      parameters: { key: { type: "string" }, token: { type: "string", hidden: "false" } },
    };
    const environment = { parameter_defaults: { token: "secret-default" } };
    const parameters = { key: "secret-key", token: "secret-token" };
    const text = linesOf({ keeps: false, template, environment, files: {}, parameters }).join("\n");
    expect(text).toContain('+  token: "******"');
    expect(text).not.toContain("secret-");
  });

  it("lets an environment win over a parameter, as an update does", () => {
    const environment = { parameters: { size: 3 } };
    const lines = linesOf({ ...NOTHING, environment, parameters: { size: "4" } });
    expect(lines).toContain("+  size: 3");
  });

  it("shows what is cleared as gone, and lets a value that is given stay", () => {
    const clear_parameters = ["size"];
    expect(linesOf({ ...NOTHING, clear_parameters })).toContain("-  size: 1.5");
    const parameters = { size: "4" };
    expect(linesOf({ ...NOTHING, clear_parameters, parameters })).toContain('+  size: "4"');
  });

  it("lets no text control the terminal", () => {
    const files = { "file:///run.sh": "echo \u001b[2J\n" };
    expect(linesOf({ ...NOTHING, files }).join("\n")).not.toContain("\u001b");
  });
});
