/** What readers see of a nested stack that changes without an operation of its parent. */
import { expect, it } from "vitest";
import type { Json, JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld, textAt } from "./api-world.ts";

const inner: JsonObject = {
  heat_template_version: "2021-04-16",
  resources: {
    asg: {
      type: "OS::Heat::AutoScalingGroup",
      properties: {
        min_size: 1,
        max_size: 5,
        resource: { type: "OS::Heat::TestResource", properties: { value: "1" } },
      },
    },
    up: {
      type: "OS::Heat::ScalingPolicy",
      properties: {
        auto_scaling_group_id: { get_resource: "asg" },
        adjustment_type: "change_in_capacity",
        scaling_adjustment: 1,
      },
    },
  },
  outputs: {
    size: { value: { get_attr: ["asg", "current_size"] } },
    url: { value: { get_attr: ["up", "signal_url"] } },
  },
};
const outer: JsonObject = {
  heat_template_version: "2021-04-16",
  resources: { low: { type: "inner.yaml" } },
  outputs: {
    size: { value: { get_attr: ["low", "size"] } },
    url: { value: { get_attr: ["low", "url"] } },
  },
};
const version = "2021-04-16";
const read = (...path: readonly Json[]): JsonObject => ({
  value: { get_attr: ["nested", ...path] },
});
const kinds: Readonly<Record<string, readonly [JsonObject, JsonObject, JsonObject]>> = {
  "a template as a type": [{ type: "inner.yaml" }, read("size"), read("url")],
  "such a template below another": [{ type: "outer.yaml" }, read("size"), read("url")],
  "its resource, read through it": [
    { type: "inner.yaml" },
    read("resource.asg", "current_size"),
    read("url"),
  ],
  "OS::Heat::Stack": [
    { type: "OS::Heat::Stack", properties: { template: JSON.stringify(inner) } },
    read("outputs", "size"),
    read("outputs", "url"),
  ],
  "AWS::CloudFormation::Stack": [
    { type: "AWS::CloudFormation::Stack", properties: { TemplateURL: "inner.yaml" } },
    read("Outputs.size"),
    read("Outputs.url"),
  ],
  "a group of them": [
    { type: "OS::Heat::ResourceGroup", properties: { resource_def: { type: "inner.yaml" } } },
    read("resource.0.size"),
    read("resource.0.url"),
  ],
};

it.each(Object.entries(kinds))(
  "%s shows the members after a signal, and a preview what reads them",
  async (_what, kind) => {
    const [nested, size, url] = kind;
    const world = openWorld();
    const text = { str_replace: { template: "N", params: { N: size["value"] ?? null } } };
    const reader = { type: "OS::Heat::TestResource", properties: { value: text } };
    const template = {
      heat_template_version: version,
      resources: { nested, reader },
      outputs: { size, url },
    };
    const files = { "inner.yaml": JSON.stringify(inner), "outer.yaml": JSON.stringify(outer) };
    const path = await createStack(world, "app", { template, files });
    await world.settle();
    const outputs = async (): Promise<Readonly<Record<string, Json | undefined>>> => {
      const list = listAt((await world.send("GET", path)).body, "stack", "outputs");
      return Object.fromEntries(
        list.map((one) => [textAt(one, "output_key"), at(one, "output_value")]),
      );
    };
    const updated = async () => {
      const { body } = await world.send("PUT", `${path}/preview`, { template, files });
      return listAt(body, "resource_changes", "updated").map((one) => at(one, "resource_name"));
    };
    expect(await updated()).toEqual(["nested"]);
    const before = await outputs();
    expect(before["size"]).toBe(1);
    expect((await world.send("POST", String(before["url"]))).status).toBe(200);
    await world.settle();
    expect((await outputs())["size"]).toBe(2);
    expect(await updated()).toEqual(["nested", "reader"]);
    const shown = (await world.send("GET", `${path}/resources/nested`)).body;
    expect(JSON.stringify(at(shown, "resource", "attributes"))).not.toMatch(/"size":1/);
    expect(world.unexpected).toEqual([]);
  },
);

it("goes on with a roll to its last batch when a sibling has failed", async () => {
  const world = openWorld();
  const thing = (properties: JsonObject): JsonObject => ({
    type: "OS::Heat::TestResource",
    properties,
  });
  const template = (value: string, fail: boolean): JsonObject => ({
    heat_template_version: version,
    resources: {
      group: {
        type: "OS::Heat::ResourceGroup",
        update_policy: { rolling_update: { max_batch_size: 1, pause_time: 60 } },
        properties: { count: 3, resource_def: thing({ value }) },
      },
      sibling: thing({ value, fail }),
    },
    outputs: { values: { value: { get_attr: ["group", "output"] } } },
  });
  const path = await createStack(world, "app", { template: template("1", false) });
  await world.settle();
  await world.send("PUT", path, { template: template("2", true) });
  const read = async (): Promise<readonly unknown[]> => {
    const { body } = await world.send("GET", path);
    return [at(body, "stack", "stack_status"), at(body, "stack", "outputs", 0, "output_value")];
  };
  await world.pass(10_000);
  expect(await read()).toEqual(["UPDATE_FAILED", ["1", "1", "2"]]);
  await world.settle();
  expect(await read()).toEqual(["UPDATE_FAILED", ["2", "2", "2"]]);
});
