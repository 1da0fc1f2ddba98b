import { beforeEach, describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

const VERSION = "2018-08-31";
const NOT_PROVIDED = "The Parameter (foo) was not provided.";

const LOW = JSON.stringify({
  heat_template_version: VERSION,
  resources: { a: { type: "OS::Heat::TestResource", properties: { value: "a" } } },
  outputs: {
    good: { value: { get_attr: ["a", "output"] } },
    bad: { value: { get_param: "foo" } },
  },
});
const MIDDLE = JSON.stringify({
  heat_template_version: VERSION,
  resources: { low: { type: "low.yaml" } },
  outputs: {
    good: { value: { get_attr: ["low", "good"] } },
    bad: { value: { get_attr: ["low", "bad"] } },
  },
});
const files = { "low.yaml": LOW, "middle.yaml": MIDDLE };

const withOutputs = (resource: JsonObject, values: Readonly<Record<string, Json>>): JsonObject => ({
  heat_template_version: VERSION,
  resources: { r: resource },
  outputs: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }])),
});

let world: World;
beforeEach(() => {
  world = openWorld();
});

const outputsOf = async (path: string): Promise<Record<string, unknown>> => {
  const { body } = await world.send("GET", path);
  return Object.fromEntries(
    listAt(body, "stack", "outputs").map((one) => {
      const error = at(one, "output_error");
      const value = at(one, "output_value");
      if (error !== undefined) expect(value).toBeNull();
      return [textAt(one, "output_key"), error === undefined ? value : { error }];
    }),
  );
};

const made = async (resource: JsonObject, values: Readonly<Record<string, Json>>) => {
  const path = await createStack(world, "app", { template: withOutputs(resource, values), files });
  await world.settle();
  expect(world.unexpected).toEqual([]);
  return { path, outputs: await outputsOf(path) };
};

const read = (...path: Json[]): JsonObject => ({ get_attr: ["r", ...path] });

describe("a template that is used as a type", () => {
  it("tells the error of its output to those that read it, and only to those", async () => {
    const { path, outputs } = await made(
      { type: "low.yaml" },
      { good: read("good"), bad: read("bad"), inside: read("bad", "x"), all: { get_attr: ["r"] } },
    );
    const error = `Error in r output bad: ${NOT_PROVIDED}`;
    expect(outputs).toEqual({ good: "a", bad: { error }, inside: { error }, all: { error } });
    const shown = await world.send("GET", `${path}/outputs/bad`);
    expect(at(shown.body, "output")).toEqual({
      output_key: "bad",
      description: "No description given",
      output_value: null,
      output_error: error,
    });
    const resource = await world.send("GET", `${path}/resources/r`);
    expect(at(resource.body, "resource", "attributes")).toEqual({ good: "a", bad: null });
  });

  it("names each level that the error has come through", async () => {
    const { outputs } = await made({ type: "middle.yaml" }, { bad: read("bad") });
    const error = `Error in r output bad: Error in low output bad: ${NOT_PROVIDED}`;
    expect(outputs).toEqual({ bad: { error } });
  });

  it("fails a resource that needs the output", async () => {
    const template = {
      heat_template_version: VERSION,
      resources: {
        r: { type: "low.yaml" },
        needs: { type: "OS::Heat::TestResource", properties: { value: read("bad") } },
      },
    };
    const path = await createStack(world, "app", { template, files });
    await world.settle();
    const { body } = await world.send("GET", path);
    expect(textAt(body, "stack", "stack_status")).toBe("CREATE_FAILED");
    expect(textAt(body, "stack", "stack_status_reason")).toContain(
      `resources.needs.properties.value: Error in r output bad: ${NOT_PROVIDED}`,
    );
    const r = await world.send("GET", `${path}/resources/r`);
    expect(textAt(r.body, "resource", "resource_status")).toBe("CREATE_COMPLETE");
  });

  it("has a value again once its template is mended", async () => {
    const { path } = await made({ type: "low.yaml" }, { bad: read("bad") });
    const mended = LOW.replace('{"get_param":"foo"}', '"fine"');
    const template = withOutputs({ type: "low.yaml" }, { bad: read("bad") });
    await world.send("PUT", path, { template, files: { "low.yaml": mended } });
    await world.settle();
    expect(await outputsOf(path)).toEqual({ bad: "fine" });
  });

  it("shows no hidden value in the error", async () => {
    const low = JSON.stringify({
      heat_template_version: VERSION,
      parameters: { word: { type: "string" } },
      outputs: { bad: { value: { digest: [{ get_param: "word" }, "x"] } } },
    });
    const template = {
      ...withOutputs({ type: "low.yaml", properties: { word: { get_param: "secret" } } }, {}),
      parameters: { secret: { type: "string", hidden: true } },
      outputs: { bad: { value: read("bad") } },
    };
    const request = { template, files: { "low.yaml": low }, parameters: { secret: "hushhush" } };
    const path = await createStack(world, "app", request);
    await world.settle();
    const { bad } = await outputsOf(path);
    expect(JSON.stringify(bad)).toContain("Error in r output bad: ");
    expect(JSON.stringify(bad)).not.toContain("hushhush");
  });
});

describe("a stack of CloudFormation", () => {
  it("tells the error of an output, and of one that is not there", async () => {
    const resource = {
      type: "AWS::CloudFormation::Stack",
      properties: { TemplateURL: "low.yaml" },
    };
    const { outputs } = await made(resource, {
      good: read("Outputs.good"),
      bad: read("Outputs.bad"),
      none: read("Outputs.none"),
    });
    expect(outputs).toEqual({
      good: "a",
      bad: { error: `Error in r output bad: ${NOT_PROVIDED}` },
      none: { error: "The Referenced Attribute (r Outputs.none) is incorrect." },
    });
  });
});

describe("OS::Heat::Stack", () => {
  it("has a null in its map of outputs", async () => {
    const resource = {
      type: "OS::Heat::Stack",
      properties: { template: { get_file: "low.yaml" } },
    };
    const { outputs } = await made(resource, { all: read("outputs") });
    expect(outputs).toEqual({ all: { good: "a", bad: null } });
  });
});

const ofMember = (name: string): string => `Error in ${name} output bad: ${NOT_PROVIDED}`;
const noMember = (name: string): string => `Member '${name}' not found in group resource 'r'.`;

describe.each([
  ["OS::Heat::ResourceGroup", { count: 2, resource_def: { type: "low.yaml" } }],
  ["OS::Heat::ResourceChain", { resources: ["low.yaml", "low.yaml"] }],
])("%s", (type, properties) => {
  it("tells the error of the member, and of a member that is not there", async () => {
    const { outputs } = await made(
      { type, properties },
      {
        good: read("good"),
        bad: read("bad"),
        map: read("attributes", "bad"),
        one: read("resource.1", "bad"),
        dotted: read("resource.1.bad"),
        fine: read("resource.1.good"),
        none: read("resource.7"),
        noneInside: read("resource.7", "good"),
      },
    );
    expect(outputs).toEqual({
      good: ["a", "a"],
      bad: { error: ofMember("0") },
      map: { error: ofMember("0") },
      one: { error: ofMember("1") },
      dotted: { error: ofMember("1") },
      fine: "a",
      none: { error: noMember("7") },
      noneInside: { error: noMember("7") },
    });
  });
});

describe("OS::Heat::AutoScalingGroup", () => {
  it("tells the error of the member that is read, and of one that is not there", async () => {
    const properties = {
      min_size: 1,
      max_size: 3,
      desired_capacity: 2,
      resource: { type: "low.yaml" },
    };
    const { outputs } = await made(
      { type: "OS::Heat::AutoScalingGroup", properties },
      {
        good: read("outputs_list", "good"),
        list: read("outputs_list", "bad"),
        map: read("outputs", "bad"),
        one: read("resource.1.bad"),
        fine: read("resource.1.good"),
        size: read("current_size"),
        none: read("resource.7"),
      },
    );
    const member = expect.stringMatching(/^Error in \w+ output bad: The Parameter \(foo\) was/);
    expect(outputs).toEqual({
      good: ["a", "a"],
      list: { error: member },
      map: { error: member },
      one: { error: member },
      fine: "a",
      size: 2,
      none: { error: noMember("7") },
    });
  });
});
