import { afterEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import type { JsonObject } from "#lib/json.ts";
import { at, newestEvent, send, waitForStack } from "./host-client.ts";

const hosts: Host[] = [];
const start = async (): Promise<string> => {
  const host = await startHost({ port: 0, data: null });
  hosts.push(host);
  return host.url;
};

afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.stop()));
});

const template: JsonObject = {
  heat_template_version: "2021-04-16",
  parameters: { network_id: { type: "string", default: "net-1" } },
  resources: {
    network: { type: "OS::Heat::TestResource", external_id: { get_param: "network_id" } },
    user: { type: "OS::Heat::TestResource", properties: { value: { get_resource: "network" } } },
  },
  outputs: { used: { value: { get_attr: ["user", "output"] } } },
};

const create = (url: string, asked: JsonObject = template) =>
  send(url, "POST", "/v1/demo/stacks", { stack_name: "top", template: asked });
const update = async (url: string, parameters: JsonObject): Promise<string> => {
  const marker = await newestEvent(url, "top");
  await send(url, "PUT", "/v1/demo/stacks/top", { template, parameters });
  return waitForStack(url, "top", marker);
};
const network = async (url: string) => {
  const { body } = await send(url, "GET", "/v1/demo/stacks/top/resources");
  const listed = at(body, "resources");
  const shown = Array.isArray(listed)
    ? listed.find((one) => at(one, "resource_name") === "network")
    : undefined;
  return {
    id: at(shown, "physical_resource_id"),
    status: at(shown, "resource_status"),
    reason: at(shown, "resource_status_reason"),
  };
};

describe("a resource with an external_id", () => {
  it("stands for the object that the user names, and others refer to it", async () => {
    const url = await start();
    await create(url);
    expect(await waitForStack(url, "top")).toBe("CREATE_COMPLETE");
    expect(await network(url)).toMatchObject({ id: "net-1", status: "ADOPT_COMPLETE" });
    const { body } = await send(url, "GET", "/v1/demo/stacks/top");
    expect(at(body, "stack", "outputs", 0, "output_value")).toBe("net-1");
  });

  it("cannot become another object, and goes on with its own", async () => {
    const url = await start();
    await create(url);
    await waitForStack(url, "top");
    expect(await update(url, { network_id: "net-2" })).toBe("UPDATE_FAILED");
    expect(await network(url)).toEqual({
      id: "net-1",
      status: "ADOPT_COMPLETE",
      reason:
        "NotSupported: resources.network: Update to property external_id of network (OS::Heat::TestResource) is not supported.",
    });
    expect(await update(url, { network_id: "net-1" })).toBe("UPDATE_COMPLETE");
  });

  it("may depend on nothing, and cannot be a nested stack", async () => {
    const url = await start();
    const dependent = { type: "OS::Heat::None", external_id: "x", depends_on: "network" };
    const refused = await create(url, {
      ...template,
      resources: { network: { type: "OS::Heat::None" }, dependent },
    });
    expect(refused.status).toBe(400);
    expect(at(refused.body, "error", "message")).toBe(
      "Invalid dependency with external OS::Heat::None resource: x",
    );
    const nested = { type: "OS::Heat::Stack", external_id: "x" };
    const other = await create(url, { ...template, resources: { nested }, outputs: {} });
    expect(at(other.body, "error", "message")).toBe(
      "resources.nested.external_id: A nested stack (OS::Heat::Stack) cannot be external",
    );
  });
});
