import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { openSession } from "#providers/openstack/account/session.ts";
import { openStackProvider } from "#providers/openstack/openstack-provider.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { all, put } from "../../openstack/double/state.ts";
import { type DoubleStage, startDoubleStage } from "../../openstack/double-stage.ts";
import { at, newestEvent, send, waitForStack } from "./host-client.ts";

const WAIT = { timeout: 20_000, interval: 20 };
const STACK = "/v1/demo/stacks/app";
const NET = { type: "OS::Neutron::Net" };

let stage: DoubleStage;
let folder: string;
let host: Host;
let lost: number;
let losesAnswers: boolean;

const spoilt: typeof fetch = async (url, options) => {
  const isCreation = options?.method === "POST" && String(url).endsWith("/networks");
  if (!losesAnswers || String(url).endsWith("/auth/tokens")) return fetch(url, options);
  if (isCreation) {
    await fetch(url, { ...options, signal: null });
    lost += 1;
  }
  throw new TypeError("cut before the answer");
};

const withCloud = async (): Promise<void> => {
  const cloud = openSession(stage.credential, spoilt);
  const provider = openStackProvider(() => cloud, stage.pace);
  host = await startHost({ port: 0, data: folder, cloud: provider });
};
const restartWithout = async (): Promise<void> => {
  await host.stop();
  host = await startHost({ port: 0, data: folder });
};

beforeEach(async () => {
  stage = await startDoubleStage();
  folder = freshFolder();
  losesAnswers = false;
  lost = 0;
  await withCloud();
});
afterEach(async () => {
  await host.stop();
  await stage.double.stop();
  removeFolder(folder);
});

const create = () =>
  send(host.url, "POST", "/v1/demo/stacks", {
    stack_name: "app",
    template: JSON.stringify({ heat_template_version: "2021-04-16", resources: { net: NET } }),
  });
const networks = () =>
  [...all(stage.double.state, "networks").values()].filter(({ project }) => project === "demo");
const reason = async (): Promise<string> => {
  const { body } = await send(host.url, "GET", `${STACK}/resources`);
  return String(at(body, "resources", 0, "resource_status_reason"));
};
const isDeleting = async () => {
  const { body } = await send(host.url, "GET", STACK);
  return String(at(body, "stack", "stack_status")) === "DELETE_IN_PROGRESS";
};

it("does not take a delete that waits for done", async () => {
  await create();
  expect(await waitForStack(host.url, "app")).toBe("CREATE_COMPLETE");
  const [network] = networks();
  const members = { network_id: network?.id ?? "", fixed_ips: [] };
  const port = put(stage.double.state, "ports", { project: "demo", members });
  const marker = await newestEvent(host.url, "app");
  await send(host.url, "DELETE", STACK);
  await vi.waitUntil(() => (stage.double.statuses.get(409) ?? 0) > 1, WAIT);
  expect(await isDeleting()).toBe(true);
  await restartWithout();
  expect(await waitForStack(host.url, "app", marker)).toBe("DELETE_FAILED");
  expect(await reason()).toContain("which this host does not have");
  expect(networks()).toHaveLength(1);

  all(stage.double.state, "ports").delete(port.id);
  await host.stop();
  await withCloud();
  await send(host.url, "DELETE", STACK);
  await vi.waitUntil(() => networks().length === 0, WAIT);
});

it("asks what a creation has made whose answer was lost", async () => {
  losesAnswers = true;
  await create();
  await vi.waitUntil(() => lost > 0, WAIT);
  await restartWithout();
  expect(await waitForStack(host.url, "app")).toBe("CREATE_FAILED");
  expect(await reason()).toContain("The call may have made an object");
  expect((await send(host.url, "DELETE", STACK)).status).toBe(409);
  expect(networks()).toHaveLength(1);
});
