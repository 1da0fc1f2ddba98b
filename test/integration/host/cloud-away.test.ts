import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { openSession } from "#providers/openstack/account/session.ts";
import { openStackProvider } from "#providers/openstack/openstack-provider.ts";
import { type DoubleStage, startDoubleStage } from "../../openstack/double-stage.ts";
import { at, send, waitForStack } from "./host-client.ts";

let stage: DoubleStage;
let host: Host;
let isAway: boolean;

beforeEach(async () => {
  stage = await startDoubleStage();
  isAway = true;
  const cloud = openSession(stage.credential, (url, options) =>
    isAway ? Promise.reject(new TypeError("connect ECONNREFUSED")) : fetch(url, options),
  );
  const provider = openStackProvider(() => cloud, stage.pace);
  host = await startHost({ port: 0, data: null, cloud: provider });
});
afterEach(async () => {
  await host.stop();
  await stage.double.stop();
});

it("is told by the resource and by the diagnosis, until it answers", async () => {
  const resources = { net: { type: "OS::Neutron::Net" } };
  const template = JSON.stringify({ heat_template_version: "2021-04-16", resources });
  const made = await send(host.url, "POST", "/v1/demo/stacks", { stack_name: "app", template });
  const stack = `/v1/demo/stacks/app/${at(made.body, "stack", "id")}`;
  const reason = async () => {
    const { body } = await send(host.url, "GET", `${stack}/resources/net`);
    return String(at(body, "resource", "resource_status_reason"));
  };
  const away = "POST /v3/auth/tokens: connect ECONNREFUSED";
  await vi.waitUntil(async () => (await reason()).includes(away), { timeout: 10_000 });
  const { body } = await send(host.url, "GET", `${stack}/diagnosis`);
  expect(JSON.stringify(body)).toContain(`asks to try again later: ${away}; CREATE since`);
  isAway = false;
  expect(await waitForStack(host.url, "app")).toBe("CREATE_COMPLETE");
  expect(await reason()).toBe("state changed");
});
