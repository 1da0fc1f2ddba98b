/** Heat checks no value in a nested template, but a type's own check of a wrong one fails. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { at, openWorld } from "./api-world.ts";

const VERSION = "2021-04-16";
const FACTOR = { type: "string", default: "s3cret", hidden: true };

const refusal = async (type: string, properties: JsonObject, path = "/stacks/preview") => {
  const nested = {
    heat_template_version: VERSION,
    parameters: { secret: FACTOR },
    resources: { r: { type, properties } },
  };
  const template = { heat_template_version: VERSION, resources: { g: { type: "n.yaml" } } };
  const files = { "n.yaml": JSON.stringify(nested) };
  const body = { stack_name: "web", template, files };
  const answer = await openWorld().send("POST", path, body);
  return answer.status === 200 ? null : at(answer.body, "error", "message");
};

const PLACE = "resources.g<n.yaml>.resources.r";

describe("a wrong value in a nested template", () => {
  it("is refused where the type's own check reads it", async () => {
    expect(await refusal("OS::Neutron::Quota", { project: "x", subnet: "BAD" })).toBe(
      `ValueError: ${PLACE}: Value 'BAD' is not an integer`,
    );
    expect(await refusal("OS::Cinder::Volume", { size: "BAD" })).toBe(
      `ValueError: ${PLACE}: Value 'BAD' is not an integer`,
    );
  });

  it("is not told where the check ends before, or does not read it", async () => {
    const volume = { backup_id: "x", size: "BAD" };
    expect(await refusal("OS::Cinder::Volume", volume)).toBeNull();
    const order = { type: "certificate", profile: "x", bit_length: "BAD" };
    expect(await refusal("OS::Barbican::Order", order)).toBe(
      "ResourcePropertyDependency: resources.g<n.yaml>: profile cannot be specified without ca_id.",
    );
    expect(await refusal("OS::Heat::TestResource", { fail: "BAD" })).toBeNull();
  });

  it("is not shown if it may be a secret", async () => {
    const size = { get_param: "secret" };
    expect(await refusal("OS::Cinder::Volume", { size })).toBe(
      `ValueError: ${PLACE}: Value '******' is not an integer`,
    );
  });

  it("is only told at a create", async () => {
    expect(await refusal("OS::Cinder::Volume", { size: "BAD" }, "/validate")).toBeNull();
  });
});

it("a number for a parameter of JSON is an empty map in a nested template", async () => {
  const of = (nested: JsonObject): string =>
    JSON.stringify({ heat_template_version: VERSION, ...nested });
  const group = { type: "OS::Nova::ServerGroup", properties: { rules: { get_param: "p" } } };
  const files = {
    "n.yaml": of({ resources: { h: { type: "p.yaml", properties: { p: 5 } } } }),
    "p.yaml": of({ parameters: { p: { type: "json" } }, resources: { r: group } }),
  };
  const template = { heat_template_version: VERSION, resources: { g: { type: "n.yaml" } } };
  const body = { stack_name: "web", template, files };
  expect((await openWorld().send("POST", "/stacks/preview", body)).status).toBe(200);
});

describe("a property that Heat does not implement", () => {
  const server = { ImageId: "x", InstanceType: "x", KernelId: "x" };

  it("is refused in a nested template, whatever its value is", async () => {
    const error = `Property error: ${PLACE}.properties: Property KernelId not implemented yet`;
    expect(await refusal("AWS::EC2::Instance", server)).toBe(error);
    expect(await refusal("AWS::EC2::Instance", { ...server, KernelId: { a: 1 } })).toBe(error);
  });

  it("is refused where a template is only validated", async () => {
    const resources = { r: { type: "AWS::EC2::Instance", properties: server } };
    const template = { heat_template_version: VERSION, resources };
    const { body } = await openWorld().send("POST", "/validate", { template });
    expect(at(body, "error", "message")).toBe(
      "Property error: resources.r.properties: Property KernelId not implemented yet",
    );
  });
});

describe("a wrong value of a group in a nested template", () => {
  const NONE = { type: "OS::Heat::None" };
  const MEMBERS = `${PLACE}<nested_stack>`;

  it("is refused in the place of the group where Heat reads it before the members", async () => {
    const group = (properties: JsonObject) =>
      refusal("OS::Heat::ResourceGroup", { resource_def: NONE, ...properties });
    expect(await group({ count: "BAD" })).toBe(
      `ValueError: ${PLACE}: Value 'BAD' is not an integer`,
    );
    expect(await group({ resource_def: {} })).toBe(
      `ValueError: ${PLACE}: Property type not assigned`,
    );
    expect(await group({ removal_policies: "BAD" })).toBe(
      `ValueError: ${PLACE}: "'BAD'" is not a list`,
    );
    const indexed = { ...NONE, properties: { a: 1 } };
    expect(await group({ index_var: {}, resource_def: indexed })).toBe(
      `ValueError: ${PLACE}: Value must be a string; got {}`,
    );
    expect(await group({ index_var: {} })).toBeNull();
    expect(await group({ removal_policies_mode: {} })).toBeNull();
  });

  it("is not looked at in a group without members", async () => {
    expect(await refusal("OS::Heat::ResourceGroup", { count: 0, resource_def: "BAD" })).toBeNull();
    const servers = { servers: {}, config: {} };
    expect(await refusal("OS::Heat::SoftwareDeploymentGroup", servers)).toBeNull();
  });

  it("is refused in the place of the members' template where Heat makes that of it", async () => {
    const sizes = { min_size: 1, max_size: 1 };
    const scaling = (properties: JsonObject) =>
      refusal("OS::Heat::AutoScalingGroup", { ...sizes, ...properties });
    expect(await scaling({ resource: "BAD" })).toBe(`ValueError: ${MEMBERS}: "BAD" is not a map`);
    expect(await scaling({ resource: NONE, cooldown: "BAD" })).toBeNull();
    const chain = { resources: ["OS::Heat::None"], resource_properties: "BAD" };
    expect(await refusal("OS::Heat::ResourceChain", chain)).toBe(
      `ValueError: ${MEMBERS}: "BAD" is not a map`,
    );
    expect(await refusal("OS::Heat::ResourceChain", { resources: "BAD" })).toBe(
      `ValueError: ${PLACE}: "'BAD'" is not a list`,
    );
  });

  it("is refused where it is the template, or names it", async () => {
    const error = "Value must be a string; got {'a': 1}";
    expect(await refusal("AWS::CloudFormation::Stack", { TemplateURL: { a: 1 } })).toBe(
      `ValueError: ${MEMBERS}: ${error}`,
    );
    expect(await refusal("OS::Heat::Stack", { template: { a: 1 } })).toBe(
      `resources.g<n.yaml>: Failed validating stack template using Heat endpoint at region "RegionOne" due to "${error}"`,
    );
  });

  it("is refused in a deployment group that has servers", async () => {
    const group = { servers: { a: "x" }, input_values: "BAD" };
    expect(await refusal("OS::Heat::StructuredDeploymentGroup", group)).toBe(
      `ValueError: ${PLACE}: "BAD" is not a map`,
    );
  });
});

describe("a check in a nested template", () => {
  it("reads what Heat reads when it makes the resource, before all others", async () => {
    const value = { type: { a: 1 }, value: "x" };
    const error = "Value must be a string; got {'a': 1}";
    expect(await refusal("OS::Heat::Value", value)).toBe(
      `ValueError: resources.g<n.yaml>: ${error}`,
    );
    const resources = { r: { type: "OS::Heat::Value", properties: value } };
    const template = { heat_template_version: VERSION, resources };
    const { body } = await openWorld().send("POST", "/validate", { template });
    expect(at(body, "error", "message")).toBe(error);
  });

  it("leaves out what only Hearth checks", async () => {
    expect(await refusal("OS::Heat::SoftwareConfig", { inputs: "BAD" })).toBeNull();
    expect(await refusal("OS::Heat::DeployedServer", { metadata: "BAD" })).toBeNull();
    expect(await refusal("OS::Heat::Delay", { min_wait: "BAD" })).toBeNull();
    expect(await refusal("OS::Heat::Value", { type: "number", value: "BAD" })).toBeNull();
  });

  it("tells two names of one value without the place of the resource", async () => {
    const names = { subnet: "x", subnet_id: "x" };
    expect(await refusal("OS::Neutron::RouterInterface", { router: "x", ...names })).toBe(
      "resources.g<n.yaml>: Cannot define the following properties at the same time: subnet, subnet_id",
    );
  });

  it("tells the place that a type gives without the section of the resources", async () => {
    const workflow = { type: "reverse", tasks: [{ name: "x", action: "x" }] };
    expect(await refusal("OS::Mistral::Workflow", workflow)).toBe(
      "Mistral resource validation error: resources.g<n.yaml>.r.properties.params: 'task_name' is not assigned in 'params' in case of reverse type workflow.",
    );
  });

  it.each<[string, JsonObject, string | null]>([
    ["OS::Nova::KeyPair", { name: "x", user: {} }, "Value must be a string; got {}"],
    ["OS::Nova::ServerGroup", { rules: "BAD" }, '"BAD" is not a map'],
    ["OS::Cinder::Quota", { project: "x", volumes: "BAD" }, "Value 'BAD' is not an integer"],
    [
      "OS::Neutron::FloatingIP",
      { floating_network: "x", value_specs: "BAD" },
      '"BAD" is not a map',
    ],
    ["OS::Neutron::ProviderNet", { network_type: {} }, null],
    ["OS::Trove::Instance", { flavor: "x", size: 1, databases: "BAD" }, null],
    ["OS::Barbican::Secret", { payload: {} }, null],
    ["OS::Heat::SoftwareDeployment", { server: {} }, "Value must be a string; got {}"],
  ])("of %s reads what Heat reads: %j", async (type, properties, expected) => {
    const text = expected === null ? null : `ValueError: ${PLACE}: ${expected}`;
    expect(await refusal(type, properties)).toBe(text);
  });
});
