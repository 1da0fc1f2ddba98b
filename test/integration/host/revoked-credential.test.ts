/** An OpenStack whose credential ends while the answer to a creation is lost. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { openSession } from "#providers/openstack/account/session.ts";
import { openStackProvider } from "#providers/openstack/openstack-provider.ts";
import { all } from "../../openstack/double/state.ts";
import { type DoubleStage, startDoubleStage } from "../../openstack/double-stage.ts";
import { at, send, waitForStack } from "./host-client.ts";

let stage: DoubleStage;
let host: Host;
let isRevoked: boolean;
let spoils: boolean;

const WAIT = { timeout: 20_000, interval: 20 };

const spoilt: typeof fetch = async (url, options) => {
  if (isRevoked) return new Response("{}", { status: 401 });
  const isCreation = options?.method === "POST" && /\/(servers|networks)$/.test(String(url));
  if (!isCreation || !spoils) return fetch(url, options);
  await fetch(url, { ...options, signal: null });
  isRevoked = true;
  spoils = false;
  throw new TypeError("cut before the answer");
};

beforeEach(async () => {
  stage = await startDoubleStage();
  isRevoked = false;
  spoils = true;
  const cloud = openSession(stage.credential, spoilt);
  const provider = openStackProvider(() => cloud, stage.pace);
  host = await startHost({ port: 0, data: null, cloud: provider });
});
afterEach(async () => {
  await host.stop();
  await stage.double.stop();
});

const create = (resource: object) =>
  send(host.url, "POST", "/v1/demo/stacks", {
    stack_name: "app",
    template: JSON.stringify({ heat_template_version: "2021-04-16", resources: { one: resource } }),
  });

const ours = (collection: string): readonly unknown[] =>
  [...all(stage.double.state, collection).values()].filter(({ project }) => project === "demo");

const REVOKED_MS = 1_500;

describe("a credential that ends before a lost answer is looked for", () => {
  it.each([
    ["servers", { type: "OS::Nova::Server", properties: { image: "cirros", flavor: "m1.tiny" } }],
    ["networks", { type: "OS::Neutron::Net" }],
  ])("does not end the creation of the %s, which goes on later", async (collection, resource) => {
    await create(resource);
    await vi.waitUntil(() => isRevoked, WAIT);
    await new Promise((resolve) => setTimeout(resolve, REVOKED_MS));
    const { body } = await send(host.url, "GET", "/v1/demo/stacks/app");
    expect(at(body, "stack", "stack_status")).toBe("CREATE_IN_PROGRESS");
    isRevoked = false;
    expect(await waitForStack(host.url, "app")).toBe("CREATE_COMPLETE");
    expect(ours(collection)).toHaveLength(1);
    await send(host.url, "DELETE", "/v1/demo/stacks/app");
    await vi.waitUntil(() => ours(collection).length === 0, WAIT);
  });
});

it("a credential that is wrong from the beginning fails a creation at once", async () => {
  isRevoked = true;
  await create({ type: "OS::Neutron::Net" });
  expect(await waitForStack(host.url, "app")).toBe("CREATE_FAILED");
  const { body } = await send(host.url, "GET", "/v1/demo/stacks/app/resources");
  expect(JSON.stringify(body)).toContain("OpenStack: Keystone gives no token: status 401");
});
