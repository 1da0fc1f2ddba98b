import type { JsonObject } from "#lib/json.ts";
import { at, type World } from "./api-world.ts";

export const CHILD = `
heat_template_version: 2018-08-31
parameters:
  size: {type: string}
  extra: {type: comma_delimited_list, default: "x,y"}
resources:
  inner:
    type: Hearth::Test::Scenario
    properties: {size: {get_param: size}, extra: {get_param: extra}}
outputs:
  size: {value: {get_attr: [inner, size]}}
  id: {value: {get_resource: inner}}
`;

export const parent = (size: string): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources: {
    child: {
      type: "OS::Heat::Stack",
      properties: { template: { get_file: "c" }, parameters: { size } },
    },
    after: {
      type: "Hearth::Test::Scenario",
      properties: { got: { get_attr: ["child", "outputs", "size"] } },
    },
  },
  outputs: { got: { value: { get_attr: ["after", "got"] } } },
});

export const provider = (size: string, type = "c.yaml"): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources: {
    child: { type, properties: { size } },
    after: { type: "Hearth::Test::Scenario", properties: { got: { get_attr: ["child", "size"] } } },
  },
  outputs: {
    got: { value: { get_attr: ["after", "got"] } },
    ref: { value: { get_resource: "child" } },
    inner: { value: { get_attr: ["child", "resource.inner"] } },
    step: { value: { get_attr: ["child", "resource.inner.size"] } },
    all: { value: { get_attr: ["child"] } },
  },
});

export const output = async (world: World, path: string, key: string) =>
  at((await world.send("GET", `${path}/outputs/${key}`)).body, "output", "output_value");

export const state = async (world: World, path: string) =>
  at((await world.send("GET", path)).body, "stack", "stack_status");
