import { expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { createStack, openWorld, textAt } from "./api-world.ts";

/** The value is known only during the create, which finds out that it does not fit. */
const WRONG = { get_attr: ["text", "value"] };

const cases: readonly (readonly [type: string, properties: JsonObject])[] = [
  ["OS::Heat::Delay", { min_wait: WRONG }],
  ["OS::Heat::WaitCondition", { handle: "any", timeout: WRONG }],
  ["AWS::CloudFormation::WaitCondition", { Handle: "any", Timeout: WRONG }],
  ["OS::Heat::SoftwareDeployment", { server: "any", actions: WRONG }],
  ["OS::Heat::StructuredDeployment", { server: "any", input_values: WRONG }],
  ["OS::Heat::SwiftSignal", { handle: "any", timeout: WRONG }],
  ["OS::Heat::SoftwareConfig", { inputs: WRONG }],
  ["OS::Heat::RandomString", { length: WRONG }],
  ["OS::Heat::TestResource", { fail: WRONG }],
  ["OS::Heat::ResourceGroup", { count: WRONG, resource_def: { type: "OS::Heat::None" } }],
  ["OS::Heat::SoftwareDeploymentGroup", { servers: WRONG }],
];

it.each(cases)("%s whose properties do not resolve can be deleted", async (type, properties) => {
  const world = openWorld();
  const text = { type: "OS::Heat::Value", properties: { value: "text" } };
  const path = await createStack(world, "wrong", {
    template: {
      heat_template_version: "2021-04-16",
      resources: { text, wrong: { type, properties } },
    },
  });
  await world.settle();
  const failed = await world.send("GET", path);
  expect(textAt(failed.body, "stack", "stack_status_reason")).toContain("Property error: ");
  await world.send("DELETE", path);
  await world.settle();
  const deleted = await world.send("GET", path);
  expect(textAt(deleted.body, "stack", "stack_status")).toBe("DELETE_COMPLETE");
});

it("a member of a group that has no type says so", async () => {
  const world = openWorld();
  const group = {
    type: "OS::Heat::ResourceGroup",
    properties: { count: 1, resource_def: { type: "" } },
  };
  const path = await createStack(world, "untyped", {
    template: { heat_template_version: "2021-04-16", resources: { group } },
  });
  await world.settle();
  const failed = await world.send("GET", path);
  expect(textAt(failed.body, "stack", "stack_status_reason")).toBe(
    'Resource CREATE failed: Error: resources.group.resources[0]: Resource "0" has no type',
  );
  await world.send("DELETE", path);
  await world.settle();
  const deleted = await world.send("GET", path);
  expect(textAt(deleted.body, "stack", "stack_status")).toBe("DELETE_COMPLETE");
});
