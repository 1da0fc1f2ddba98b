/** In a nested template Heat checks no value, but a type's own check fails where it reads one. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { at, openWorld } from "./api-world.ts";

const VERSION = "2021-04-16";
const FACTOR = { type: "string", default: "s3cret", hidden: true };

/** What POST `path` answers about a resource of a provider template. Null: accepted. */
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
