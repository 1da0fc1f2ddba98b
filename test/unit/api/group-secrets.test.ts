import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#lib/json.ts";
import { createStack, openWorld } from "./api-world.ts";

const PASSWORD: Json = { get_param: "password" };

const MEMBER_FILE: JsonObject = {
  heat_template_version: "2021-04-16",
  parameters: { value: { type: "string" } },
  resources: {
    inner: { type: "OS::Heat::TestResource", properties: { value: { get_param: "value" } } },
  },
};

const PLAIN: JsonObject = { type: "OS::Heat::TestResource", properties: { value: PASSWORD } };
const FILE: JsonObject = { type: "member.yaml", properties: { value: PASSWORD } };

const groupOf = (member: JsonObject): JsonObject => ({
  type: "OS::Heat::ResourceGroup",
  properties: { count: 2, resource_def: member },
});

const GROUPS: readonly (readonly [string, JsonObject])[] = [
  ["a resource", groupOf(PLAIN)],
  ["metadata", groupOf({ type: "OS::Heat::TestResource", metadata: { key: PASSWORD } })],
  ["a template file", groupOf(FILE)],
  ["another group", groupOf(groupOf(FILE))],
  [
    "a scaling group",
    {
      type: "OS::Heat::AutoScalingGroup",
      properties: { min_size: 1, max_size: 2, resource: FILE },
    },
  ],
  [
    "a chain",
    {
      type: "OS::Heat::ResourceChain",
      properties: { resources: ["member.yaml"], resource_properties: { value: PASSWORD } },
    },
  ],
];

const requestOf = (group: JsonObject, others: JsonObject = {}): JsonObject => ({
  parameters: { password: "s3cr3t-text" },
  files: { "member.yaml": JSON.stringify(MEMBER_FILE) },
  template: {
    heat_template_version: "2021-04-16",
    parameters: {
      password: { type: "string", hidden: true },
      which: { type: "string", default: "second" },
    },
    resources: { group, ...others },
  },
});

describe.each(GROUPS)("a hidden parameter in the definition of %s", (_title, group) => {
  it("is shown neither by the nested stacks, nor by their templates and environments", async () => {
    const world = openWorld();
    await createStack(world, "app", requestOf(group));
    await world.settle();
    const below = world.store.dump().stacks.filter(({ owner }) => owner !== null);
    expect(below.length).toBeGreaterThan(0);
    for (const { name, id } of below) {
      for (const part of ["", "/template", "/environment"]) {
        const { status, body } = await world.read(`/stacks/${name}/${id}${part}`);
        expect(status).toBe(200);
        expect(body).not.toContain("s3cr3t");
      }
    }
  });

  it("is not shown by a preview", async () => {
    const { send } = openWorld();
    const { status, body } = await send("POST", "/stacks/preview", {
      stack_name: "app",
      ...requestOf(group),
    });
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain("s3cr3t");
  });
});

it.each<[string, Json]>([
  ["named", "second"],
  ["named by a parameter", { get_param: "which" }],
])(
  "A hidden parameter that comes by way of the attribute of a resource that is %s",
  async (_, name) => {
    const world = openWorld();
    const value = (of: Json): JsonObject => ({
      type: "OS::Heat::Value",
      properties: { value: of },
    });
    const last: Json = { get_attr: [name, "value"] };
    const member = { type: "OS::Heat::TestResource", properties: { value: last } };
    const others = { first: value(PASSWORD), second: value({ get_attr: ["first", "value"] }) };
    await createStack(world, "app", requestOf(groupOf(member), others));
    await world.settle();
    const below = world.store.dump().stacks.find(({ owner }) => owner !== null);
    const { body } = await world.send("GET", `/stacks/${below?.name}/${below?.id}/template`);
    expect(JSON.stringify(body)).toContain("******");
    expect(JSON.stringify(body)).not.toContain("s3cr3t-text");
  },
);
