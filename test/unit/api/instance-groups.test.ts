import { describe, expect, it } from "vitest";
import { isJsonObject, type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import { sectionOf } from "#lib/template/json-shape.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

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

const SECRET: JsonObject = { Ref: "Password" };

const stackOf = (
  type: string,
  given: JsonObject,
  { data = SECRET, metadata = {} }: { readonly data?: Json; readonly metadata?: JsonObject } = {},
): JsonObject => ({
  parameters: { Password: "s3cr3t-text" },
  files: { "server.yaml": JSON.stringify(SERVER) },
  environment: { resource_registry: { "OS::Heat::ScaledResource": "server.yaml" } },
  template: {
    HeatTemplateFormatVersion: "2012-12-12",
    Parameters: { Password: { Type: "String", NoEcho: true } },
    Resources: {
      config: {
        Type: "AWS::AutoScaling::LaunchConfiguration",
        Metadata: metadata,
        Properties: { ImageId: "i", InstanceType: "t", UserData: data },
      },
      group: {
        Type: type,
        Properties: mergedMaps<Json>(
          { LaunchConfigurationName: { Ref: "config" }, AvailabilityZones: ["zone"] },
          given,
        ),
      },
    },
    Outputs: { list: { Value: { "Fn::GetAtt": ["group", "InstanceList"] } } },
  },
});

const METERED = "metering.AutoScalingGroupName";

const GROUPS: readonly (readonly [string, JsonObject, readonly string[]])[] = [
  ["OS::Heat::InstanceGroup", { Size: 2 }, []],
  ["AWS::AutoScaling::AutoScalingGroup", { MinSize: 2, MaxSize: 2 }, [METERED]],
];

const groupIn = ({ store }: World): { readonly name: string; readonly path: string } => {
  const { name = "", id = "" } =
    store.dump().stacks.find((one) => one.name.startsWith("app-group-")) ?? {};
  return { name, path: `/stacks/${name}/${id}` };
};

const memberIn = async (world: World): Promise<Json> => {
  const { body } = await world.send("GET", `${groupIn(world).path}/template`);
  const [first, second] = Object.values(sectionOf(isJsonObject(body) ? body : {}, "Resources"));
  expect(first).toEqual(second);
  return first ?? null;
};

describe.each(GROUPS)("%s", (type, sizes, ownTags) => {
  it("lists the addresses of its members", async () => {
    const world = openWorld();
    const path = await createStack(world, "app", stackOf(type, sizes));
    await world.settle();
    const { body } = await world.send("GET", path);
    expect(at(body, "stack", "outputs", 0, "output_value")).toBe("192.0.2.1,192.0.2.1");
  });

  it("is only looked at by an update that changes nothing", async () => {
    const world = openWorld();
    const path = await createStack(world, "app", stackOf(type, sizes));
    await world.settle();
    const visitOf = async (request: JsonObject): Promise<Json> => {
      const { body } = await world.send("PUT", `${path}/preview`, request);
      const found = listAt(body, "resource_changes", "updated").find(
        (one) => at(one, "resource_name") === "group",
      );
      return at(found, "change", "visit") ?? null;
    };
    expect(await visitOf(stackOf(type, sizes))).toBe("reached");
    expect(await visitOf(stackOf(type, sizes, { data: "other" }))).toBe("changed");
  });

  it("has the members that the environment maps AWS::EC2::Instance to", async () => {
    const world = openWorld();
    const output = { value: "192.0.2.1" };
    const names = ["AvailabilityZone", "PrivateDnsName", "PublicDnsName", "PrivateIp", "PublicIp"];
    const outputs = Object.fromEntries(names.map((name) => [name, output]));
    const own = mergedMaps<Json>(SERVER, { outputs });
    const path = await createStack(
      world,
      "app",
      mergedMaps<Json>(stackOf(type, sizes), {
        files: { "server.yaml": JSON.stringify(own) },
        environment: { resource_registry: { "AWS::EC2::Instance": "server.yaml" } },
      }),
    );
    await world.settle();
    const { body } = await world.send("GET", path);
    expect(at(body, "stack", "outputs", 0, "output_value")).toBe("192.0.2.1,192.0.2.1");
  });

  it("lists no address where no member has one", async () => {
    const world = openWorld();
    const files = { "server.yaml": JSON.stringify(mergedMaps<Json>(SERVER, { outputs: {} })) };
    const path = await createStack(world, "app", mergedMaps(stackOf(type, sizes), { files }));
    await world.settle();
    const { body } = await world.send("GET", path);
    expect(textAt(body, "stack", "stack_status")).toBe("CREATE_COMPLETE");
    expect(at(body, "stack", "outputs", 0, "output_value")).toBe(null);
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

  it("gives its members what their launch configuration has, and its metadata", async () => {
    const world = openWorld();
    const metadata = { "AWS::CloudFormation::Init": { in: { Ref: "AWS::StackName" } } };
    await createStack(world, "app", stackOf(type, sizes, { data: "", metadata }));
    await world.settle();
    const member = await memberIn(world);
    expect(at(member, "Metadata")).toEqual({ "AWS::CloudFormation::Init": { in: "app" } });
    const given = Object.keys(sectionOf(isJsonObject(member) ? member : {}, "Properties"));
    expect(given).toEqual(["ImageId", "InstanceType", "UserData", "Tags"]);
  });

  it("shows no hidden parameter that this metadata has", async () => {
    const world = openWorld();
    await createStack(world, "app", stackOf(type, sizes, { data: "", metadata: { key: SECRET } }));
    await world.settle();
    const { body } = await world.read(`${groupIn(world).path}/template`);
    expect(body).toContain("key");
    expect(body).not.toContain("s3cr3t");
  });

  it.each([
    [[{ Key: "a", Value: "b" }], ["metering.groupname"]],
    [[{ Key: "metering.mine", Value: "b" }], []],
  ])("tags its members with its name after the tags %j", async (Tags, usual) => {
    const world = openWorld();
    const given = mergedMaps<Json>(sizes, { Tags });
    await createStack(world, "app", stackOf(type, given, { data: "" }));
    await world.settle();
    const { name } = groupIn(world);
    const added = [...usual, ...ownTags].map((Key) => ({ Key, Value: name }));
    expect(at(await memberIn(world), "Properties", "Tags")).toEqual([...Tags, ...added]);
  });
});

describe.each(GROUPS)("%s whose members nothing makes", (type, sizes) => {
  it("is refused at the request, unless it has no members", async () => {
    const world = openWorld();
    const { environment: _, ...request } = stackOf(type, sizes);
    const refused = await world.send("POST", "/stacks", { ...request, stack_name: "app" });
    expect(refused.status).toBe(400);
    expect(at(refused.body, "error", "message")).toMatch(
      /^resources.group<nested_stack>: No provider makes AWS::EC2::Instance here\./i,
    );
    const none = mapOf(Object.keys(sizes).map((size): [string, Json] => [size, 0]));
    const { environment: __, ...empty } = stackOf(type, none);
    const made = await world.send("POST", "/stacks", { ...empty, stack_name: "app" });
    expect(made.status).toBe(201);
  });
});

it.each(GROUPS)(
  "%s fails a change in batches of nothing, and can be deleted",
  async (type, given) => {
    const world = openWorld();
    const path = await createStack(world, "app", stackOf(type, given));
    await world.settle();
    const changed = stackOf(type, given, { data: "other" });
    const template = sectionOf(changed, "template");
    const resources = sectionOf(template, "Resources");
    const none: JsonObject = { MaxBatchSize: 0 };
    const group: JsonObject = {
      ...sectionOf(resources, "group"),
      UpdatePolicy: type.startsWith("AWS")
        ? { AutoScalingRollingUpdate: none }
        : { RollingUpdate: none },
    };
    const rolled = { ...template, Resources: { ...resources, group } };
    await world.send("PUT", path, { ...changed, template: rolled });
    await world.settle();
    const failed = await world.send("GET", path);
    expect(textAt(failed.body, "stack", "stack_status_reason")).toBe(
      "Resource UPDATE failed: ValueError: resources.group: MaxBatchSize must be at least 1, and is 0.",
    );
    await world.send("DELETE", path);
    await world.settle();
    const deleted = await world.send("GET", path);
    expect(textAt(deleted.body, "stack", "stack_status")).toBe("DELETE_COMPLETE");
  },
);
