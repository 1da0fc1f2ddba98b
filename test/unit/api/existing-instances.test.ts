import { describe, expect, it } from "vitest";
import { EXISTING_ENVIRONMENT } from "#lib/inventory/inventory.ts";
import { isJsonObject, type Json, type JsonObject, mergedMaps } from "#lib/json.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

const MACHINES: JsonObject = {
  machines: [
    { name: "web-1", address: "192.0.2.11", public_address: "198.51.100.11", groups: ["front"] },
    { name: "web-2", address: "192.0.2.12", groups: ["front"] },
    { name: "db", address: "192.0.2.20" },
  ],
};

const requestOf = (
  resources: JsonObject,
  outputs: JsonObject = {},
  servers: Json = [],
): JsonObject => ({
  environment: mergedMaps<Json>(EXISTING_ENVIRONMENT, {
    parameter_defaults: { hearth_inventory: mergedMaps<Json>(MACHINES, { servers }) },
  }),
  template: {
    HeatTemplateFormatVersion: "2012-12-12",
    Resources: resources,
    Outputs: outputs,
  },
});

const instance = (properties: JsonObject = {}): JsonObject => ({
  Type: "AWS::EC2::Instance",
  Properties: mergedMaps<Json>({ ImageId: "i", InstanceType: "t" }, properties),
});

const tag = (key: string, value: string): JsonObject => ({ Tags: [{ Key: key, Value: value }] });

const attribute = (name: string, key: string): JsonObject => ({
  Value: { "Fn::GetAtt": [name, key] },
});

const outputsOf = async (world: World, path: string): Promise<Record<string, unknown>> => {
  const { body } = await world.send("GET", path);
  expect(textAt(body, "stack", "stack_status_reason")).toMatch(/completed successfully/);
  return Object.fromEntries(
    listAt(body, "stack", "outputs").map((one) => [
      textAt(one, "output_key"),
      at(one, "output_value"),
    ]),
  );
};

const taken = async (world: World): Promise<readonly string[]> =>
  (await world.ports.softwareConfigs.listTakenMachines("demo")).map(({ name }) => name).sort();

describe("an AWS::EC2::Instance on an existing machine", () => {
  it("has the machine's addresses, and so has its elastic address", async () => {
    const world = openWorld();
    const resources: JsonObject = {
      net: { Type: "AWS::EC2::VPC", Properties: { CidrBlock: "192.0.2.0/24" } },
      web: instance({ Tags: [{ Key: "hearth_machine", Value: "web-1" }] }),
      ip: { Type: "AWS::EC2::EIP", Properties: { InstanceId: { Ref: "web" } } },
      loose: { Type: "AWS::EC2::EIP" },
      link: {
        Type: "AWS::EC2::EIPAssociation",
        Properties: { InstanceId: { Ref: "db" }, EIP: { Ref: "loose" } },
      },
      db: instance({ KeyName: "k", UserData: "#!/bin/sh" }),
    };
    const path = await createStack(
      world,
      "app",
      requestOf(resources, {
        private: attribute("web", "PrivateIp"),
        name: attribute("web", "PrivateDnsName"),
        public: attribute("web", "PublicIp"),
        elastic: { Value: { Ref: "ip" } },
        loose: { Value: { Ref: "loose" } },
      }),
    );
    await world.settle();
    expect(await outputsOf(world, path)).toEqual({
      private: "192.0.2.11",
      name: "192.0.2.11",
      public: "198.51.100.11",
      elastic: "198.51.100.11",
      loose: "192.0.2.20",
    });
    const { body } = await world.send("GET", `${path}/resources/db`);
    expect(at(body, "resource", "resource_status_reason")).toBe(
      "The machine db of the inventory; ignored: ImageId, InstanceType, KeyName, UserData",
    );
    const settings = at(body, "resource", "attributes", "os_collect_config", "request");
    expect(isJsonObject(settings) && settings["metadata_url"]).toMatch(/agent\/metadata/);
    expect(await taken(world)).toEqual(["db", "web-1"]);
    await world.send("DELETE", path);
    await world.settle();
    expect(await taken(world)).toEqual([]);
  });

  it("takes the name of its tag, and another machine is another instance", async () => {
    const world = openWorld();
    const web = (properties: JsonObject) => requestOf({ web: instance(properties) });
    const path = await createStack(world, "app", web(tag("Name", "web-2")));
    await world.settle();
    expect(await taken(world)).toEqual(["web-2"]);
    await world.send("PUT", path, web(tag("Name", "db")));
    await world.settle();
    expect(await taken(world)).toEqual(["db"]);
    expect(await outputsOf(world, path)).toEqual({});
  });
});

describe("members of CloudFormation's groups", () => {
  const group = (size: number): JsonObject => ({
    config: {
      Type: "AWS::AutoScaling::LaunchConfiguration",
      Properties: { ImageId: "i", InstanceType: "t" },
    },
    group: {
      Type: "OS::Heat::InstanceGroup",
      Properties: {
        LaunchConfigurationName: { Ref: "config" },
        AvailabilityZones: ["zone"],
        Size: size,
      },
    },
  });
  const rule = [{ server: "*", group: "front" }];
  const list = { list: attribute("group", "InstanceList") };

  it("are machines of the inventory", async () => {
    const world = openWorld();
    const path = await createStack(world, "app", requestOf(group(2), list, rule));
    await world.settle();
    const found = String((await outputsOf(world, path))["list"])
      .split(",")
      .sort();
    expect(found).toEqual(["192.0.2.12", "198.51.100.11"]);
    await world.send("PUT", path, requestOf(group(1), list, rule));
    await world.settle();
    expect(await taken(world)).toHaveLength(1);
  });
});
