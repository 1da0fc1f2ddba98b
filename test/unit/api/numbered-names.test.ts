import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#lib/json.ts";
import { at, createStack, openWorld } from "./api-world.ts";

const VERSION = { heat_template_version: "2021-04-16" };
const resource = (more: JsonObject): JsonObject => ({
  ...VERSION,
  resources: { 7: { type: "OS::Heat::TestResource", ...more }, a: { type: "OS::Heat::Value" } },
});
const output = (definition: Json): JsonObject => ({ ...VERSION, outputs: { 7: definition } });

const refusalOf = async (template: JsonObject, files: JsonObject = {}) => {
  const request = { stack_name: "app", template, files };
  const { status, body } = await openWorld().send("POST", "/stacks", request);
  expect(status).toBe(400);
  return at(body, "error", "message");
};

describe("a resource or an output whose name has only digits", () => {
  it.each<[JsonObject, string]>([
    [resource({ properties: { no: 1 } }), "Property error: resources[7].properties: Unknown"],
    [
      resource({ properties: { wait_secs: { get_file: "f" } } }),
      "Property error: resources[7].properties.wait_secs: No content",
    ],
    [
      resource({ metadata: { 3: { get_attr: ["a", "no"] } } }),
      "resources[7].metadata[3].get_attr: The Referenced Attribute (a no) is",
    ],
    [resource({ update_policy: { no: 1 } }), "Property error: resources[7].update_policy: "],
    [resource({ condition: "no" }), 'resources[7].condition: Invalid condition "no"'],
    [output(5), "Output validation error: outputs[7]: Output definitions must be a map"],
    [output({ value: 1, condition: "no" }), 'outputs[7].condition: Invalid condition "no"'],
    [output({ value: { yaql: { expression: "(", data: 1 } } }), "outputs[7].value.yaql: Bad"],
  ])("is the index of a list in the refusal of %j", async (template, beginning) => {
    expect(await refusalOf(template)).toContain(beginning);
  });

  it.each<[JsonObject, string]>([
    [resource({ metadata: { a: { list_join: 5 } } }), "resources.7.metadata.a.list_join: "],
    [resource({ condition: { equals: [1] } }), "resources.7.condition.equals: "],
    [output({ value: { list_join: 5 } }), "outputs.7.value.list_join: "],
    [output({ value: 1, condition: { equals: [1] } }), "outputs.7.condition.equals: "],
  ])("is a name where a call is built, as in %j", async (template, beginning) => {
    expect(await refusalOf(template)).toContain(beginning);
  });

  it("is a name beside the file that it nests, and an index in that file", async () => {
    const template = { ...VERSION, resources: { 7: { type: "child.yaml" } } };
    const child = resource({ properties: { no: 1 } });
    expect(await refusalOf(template, { "child.yaml": JSON.stringify(child) })).toBe(
      "Property error: resources.7<child.yaml>.resources[7].properties: Unknown Property no",
    );
  });

  it("is an index in the reason of a failure", async () => {
    const world = openWorld();
    const template = {
      ...VERSION,
      resources: { 7: { type: "OS::Heat::TestResource", properties: { fail: true } } },
    };
    const path = await createStack(world, "app", { template });
    await world.settle();
    const { body } = await world.send("GET", path);
    expect(at(body, "stack", "stack_status_reason")).toContain(": resources[7]: ");
  });
});
