import { describe, expect, it } from "vitest";
import { localTypes } from "#host/plugins/plugin-types.ts";
import { type Assessment, assessTemplate } from "#lib/authoring/assess.ts";
import { EXISTING_ENVIRONMENT } from "#lib/inventory/inventory.ts";
import { isJsonObject, type JsonObject } from "#lib/json.ts";

const assess = (
  document: JsonObject,
  {
    environment = EXISTING_ENVIRONMENT,
    files = {},
  }: { environment?: JsonObject; files?: Record<string, string> } = {},
): Promise<Assessment> =>
  assessTemplate(localTypes(), {
    template: { heat_template_version: "2021-04-16", ...document },
    files,
    environment,
    environmentFiles: [],
    parameters: {},
  });

const server = (properties: JsonObject = {}): JsonObject => ({
  type: "OS::Nova::Server",
  properties: { image: "cirros", flavor: "small", ...properties },
});

const statuses = ({ resources }: Assessment): readonly string[] =>
  resources.map(({ name, status }) => `${name} ${status}`);

describe("an assessment", () => {
  it("runs what has a provider", async () => {
    const found = await assess({ resources: { a: { type: "OS::Heat::RandomString" } } });
    expect(found).toMatchObject({ status: "runs", error: null, warnings: [] });
    expect(statuses(found)).toEqual(["a runs"]);
  });

  it("tells which given properties have no effect, and why", async () => {
    const found = await assess({
      resources: { web: server({ name: "web", key_name: "k" }), net: { type: "OS::Neutron::Net" } },
    });
    expect(found.status).toBe("ignores");
    const [web, net] = found.resources;
    expect(Object.keys(web?.ignored ?? {}).sort()).toEqual(["flavor", "image", "key_name"]);
    expect(web?.ignored["flavor"]).toBe("the machine has its own size");
    expect(net).toMatchObject({
      ignored: {},
      instead: "a record: the machines keep their networks",
    });
  });

  it("names what nothing can make, with the reason, and unknown types", async () => {
    const found = await assess({
      resources: { a: { type: "OS::Barbican::Secret" }, b: { type: "My::Own" }, c: server() },
    });
    expect(found.status).toBe("missing");
    expect(statuses(found)).toEqual(["a missing", "b missing", "c ignores"]);
    expect(found.resources.map(({ why }) => why)).toEqual([
      expect.stringContaining("No provider makes OS::Barbican::Secret here."),
      "No such type. Map My::Own to a template in the resource registry.",
      null,
    ]);
  });

  it("without the environment leaves servers missing, unless they exist elsewhere", async () => {
    const resources = { a: server(), b: { type: "OS::Neutron::Net", external_id: "x" } };
    expect(statuses(await assess({ resources }, { environment: {} }))).toEqual([
      "a missing",
      "b runs",
    ]);
  });

  it("looks into nested templates and into the members of groups", async () => {
    const below = {
      heat_template_version: "2021-04-16",
      parameters: { kind: { type: "string" } },
      conditions: { big: { equals: [{ get_param: "kind" }, "big"] } },
      resources: { web: server(), secret: { type: "OS::Barbican::Secret", condition: "big" } },
    };
    const files = { "below.yaml": JSON.stringify(below) };
    const nested = (kind: string) => ({ type: "below.yaml", properties: { kind } });
    const group = { type: "OS::Heat::ResourceGroup", properties: { resource_def: nested("big") } };
    const resources = { small: nested("small"), group };
    expect(statuses(await assess({ resources }, { files }))).toContain("small.web ignores");
    const found = await assess({ resources }, { files });
    expect(statuses(found)).not.toContain("small.secret missing");
    expect(statuses(found)).toContain("group.resource_def.secret missing");
  });

  it("knows what the members of a group of instances are", async () => {
    const launch = { type: "AWS::AutoScaling::LaunchConfiguration" };
    const named = { LaunchConfigurationName: { get_resource: "launch" }, AvailabilityZones: [] };
    const resources = {
      launch: { ...launch, properties: { ImageId: "i", InstanceType: "small" } },
      fixed: { type: "OS::Heat::InstanceGroup", properties: { ...named, Size: 1 } },
      scaled: {
        type: "AWS::AutoScaling::AutoScalingGroup",
        properties: { ...named, MinSize: "1", MaxSize: "2" },
      },
    };
    const machines = await assess({ resources });
    expect(machines.status).toBe("ignores");
    const ignored = machines.resources.find(({ name }) => name === "fixed.instance")?.ignored;
    expect(Object.keys(ignored ?? {})).toEqual(["ImageId", "InstanceType"]);
    const registry = { "OS::Heat::ScaledResource": "OS::Trove::Instance" };
    const found = await assess({ resources }, { environment: { resource_registry: registry } });
    expect(found.status).toBe("missing");
    expect(statuses(found)).toEqual([
      "launch runs",
      "fixed runs",
      "fixed.instance missing",
      "scaled runs",
      "scaled.instance missing",
    ]);
    expect(found.resources[2]?.why).toContain("No provider makes OS::Trove::Instance here.");
  });

  it("does not end up in a template that uses itself", async () => {
    const files = {
      "self.yaml": JSON.stringify({
        heat_template_version: "2021-04-16",
        resources: { again: { type: "self.yaml" } },
      }),
    };
    const found = await assess({ resources: { one: { type: "self.yaml" } } }, { files });
    expect(found.status).toBe("refused");
  });
});

describe("the check of an assessed template", () => {
  const structured = (config: JsonObject[string]): JsonObject => ({
    parameters: { key: { type: "string" } },
    resources: {
      config: { type: "OS::Heat::StructuredConfig", properties: { config } },
      web: server({ key_name: { get_param: "key" } }),
    },
  });

  it("refuses what a create would refuse, without the values of parameters", async () => {
    expect(await assess(structured(["recipe[nginx]"]))).toMatchObject({
      status: "refused",
      error:
        "Property error: resources.config.properties.config: \"['recipe[nginx]']\" is not a map",
    });
    expect(await assess(structured({ run: 1 }))).toMatchObject({ status: "ignores", error: null });
  });

  it("refuses what a create would refuse beside a value that its user must choose", async () => {
    const constraints = [{ length: { min: 6, max: 8 } }, { allowed_pattern: "[A-Z]+[a-z0-9]*" }];
    const document = structured(["recipe[nginx]"]);
    const parameters = { key: { type: "string", constraints } };
    const found = await assess({ ...document, parameters });
    expect(found.error).toContain("is not a map");
    expect((await assess({ ...structured({ run: 1 }), parameters })).error).toBeNull();
  });

  it("refuses no value that its user would give", async () => {
    const found = await assess({
      parameters: {
        lengths: { type: "comma_delimited_list" },
        index: { type: "number" },
        size: { type: "string", constraints: [{ length: { max: 3 } }] },
      },
      resources: {
        a: {
          type: "OS::Heat::RandomString",
          properties: { length: { get_param: ["lengths", { get_param: "index" }] } },
        },
        b: { type: "OS::Heat::RandomString", properties: { length: { get_param: "size" } } },
      },
    });
    expect(found).toMatchObject({ status: "runs", error: null, warnings: [] });
  });

  it("warns of a default with which a create is refused", async () => {
    const found = await assess({
      parameters: { size: { type: "string", default: "large" } },
      resources: {
        a: { type: "OS::Heat::RandomString", properties: { length: { get_param: "size" } } },
      },
    });
    expect(found.status).toBe("runs");
    expect(found.warnings).toEqual([
      "With the defaults of its parameters it is refused: Property error: resources.a.properties.length: Value 'large' is not an integer",
    ]);
  });

  it("refuses a template that is wrong", async () => {
    const found = await assess({ resources: { a: { type: "OS::Heat::Value", depends_on: "b" } } });
    expect(found).toMatchObject({ status: "refused", resources: [] });
    expect(found.error).toContain('"b"');
  });
});

describe("a wait condition of an assessed template", () => {
  const waiting = (userData: JsonObject[string]): JsonObject => ({
    resources: {
      handle: { type: "OS::Heat::WaitConditionHandle" },
      condition: {
        type: "OS::Heat::WaitCondition",
        properties: { handle: { get_resource: "handle" }, timeout: 60 },
      },
      boot: {
        type: "OS::Heat::SoftwareConfig",
        properties: { config: { get_attr: ["handle", "curl_cli"] } },
      },
      web: server({ user_data: userData }),
    },
  });

  it.each<readonly [string, JsonObject[string]]>([
    ["itself", { get_attr: ["handle", "curl_cli"] }],
    ["by a config", { get_resource: "boot" }],
  ])("is warned of, if an ignored script signals it %s", async (_, userData) => {
    const { status, warnings } = await assess(waiting(userData));
    expect(status).toBe("ignores");
    expect(warnings).toEqual([
      "web: its user_data does not run, so nothing signals condition. Send the signal from the machine, or deploy the script with OS::Heat::SoftwareDeployment.",
    ]);
  });

  it("is warned of, if the script is one of a group's members", async () => {
    const signals = { get_attr: ["handle", "curl_cli"] };
    const properties = { UserData: signals, ImageId: "i", InstanceType: "small" };
    const { resources = {} } = waiting(null);
    const found = await assess({
      resources: {
        ...(isJsonObject(resources) ? resources : {}),
        servers: {
          type: "OS::Heat::ResourceGroup",
          properties: { resource_def: server({ user_data: signals }) },
        },
        launch: { type: "AWS::AutoScaling::LaunchConfiguration", properties },
        fixed: {
          type: "OS::Heat::InstanceGroup",
          properties: {
            LaunchConfigurationName: { get_resource: "launch" },
            AvailabilityZones: [],
            Size: 1,
          },
        },
      },
    });
    expect(found.warnings).toEqual([
      expect.stringContaining("servers.resource_def: its user_data does not run, so nothing"),
      expect.stringContaining("fixed.instance: its UserData does not run, so nothing signals"),
    ]);
  });

  it("is no matter of a script that does not name it", async () => {
    expect((await assess(waiting("#!/bin/sh"))).warnings).toEqual([]);
  });
});

describe("an assessment with an inventory", () => {
  const withMachines = (names: readonly string[]): JsonObject => ({
    ...EXISTING_ENVIRONMENT,
    parameter_defaults: {
      hearth_inventory: { machines: names.map((name) => ({ name, address: "192.0.2.1" })) },
    },
  });

  it("tells which server has no machine, unless its name is computed", async () => {
    const resources = { web: server(), db: server(), other: server({ name: { get_param: "n" } }) };
    const document = { parameters: { n: { type: "string" } }, resources };
    const found = await assess(document, { environment: withMachines(["web"]) });
    expect(statuses(found)).toEqual(["web ignores", "db missing", "other ignores"]);
    expect(found.resources[1]?.why).toContain("No machine of the inventory fits the server db");
  });
});
