/** Groups of servers in CloudFormation's words, whose members a launch configuration describes. */
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#lib/json.ts";
import { mapOf, mergedMaps } from "#lib/json-map.ts";
import { at, createStack, openWorld } from "./api-world.ts";

const WORDS = ["ImageId", "InstanceType", "UserData"] as const;
const LISTS = ["Tags", "SecurityGroups", "NovaSchedulerHints", "BlockDeviceMappings"] as const;

const SERVER: JsonObject = {
  heat_template_version: "2021-04-16",
  parameters: mapOf<Json>([
    ...WORDS.map((name) => [name, { type: "string", default: "" }] as const),
    ...LISTS.map((name) => [name, { type: "json", default: [] }] as const),
  ]),
  resources: {
    server: {
      type: "OS::Heat::TestResource",
      properties: { value: { get_param: "UserData" } },
    },
  },
  outputs: { PublicIp: { value: "192.0.2.1" } },
};

const stackOf = (type: string, sizes: JsonObject): JsonObject => ({
  parameters: { Password: "s3cr3t-text" },
  files: { "server.yaml": JSON.stringify(SERVER) },
  environment: { resource_registry: { "OS::Heat::ScaledResource": "server.yaml" } },
  template: {
    HeatTemplateFormatVersion: "2012-12-12",
    Parameters: { Password: { Type: "String", NoEcho: true } },
    Resources: {
      config: {
        Type: "AWS::AutoScaling::LaunchConfiguration",
        Properties: { ImageId: "i", InstanceType: "t", UserData: { Ref: "Password" } },
      },
      group: {
        Type: type,
        Properties: mergedMaps<Json>(
          { LaunchConfigurationName: { Ref: "config" }, AvailabilityZones: ["zone"] },
          sizes,
        ),
      },
    },
    Outputs: { list: { Value: { "Fn::GetAtt": ["group", "InstanceList"] } } },
  },
});

const GROUPS: readonly (readonly [string, JsonObject])[] = [
  ["OS::Heat::InstanceGroup", { Size: 2 }],
  ["AWS::AutoScaling::AutoScalingGroup", { MinSize: 2, MaxSize: 2 }],
];

describe.each(GROUPS)("%s", (type, sizes) => {
  it("lists the addresses of its members", async () => {
    const world = openWorld();
    const path = await createStack(world, "app", stackOf(type, sizes));
    await world.settle();
    const { body } = await world.send("GET", path);
    expect(at(body, "stack", "outputs", 0, "output_value")).toBe("192.0.2.1,192.0.2.1");
  });

  it("shows no hidden parameter that its launch configuration has", async () => {
    const world = openWorld();
    await createStack(world, "app", stackOf(type, sizes));
    await world.settle();
    const below = world.store.dump().stacks.filter(({ owner }) => owner !== null);
    expect(below).toHaveLength(3);
    for (const { name, id } of below) {
      for (const part of ["", "/template", "/environment"]) {
        const { status, body } = await world.read(`/stacks/${name}/${id}${part}`);
        expect(status).toBe(200);
        expect(body).not.toContain("s3cr3t");
      }
    }
  });
});
