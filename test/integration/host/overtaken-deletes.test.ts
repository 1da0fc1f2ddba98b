import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { type AgentProcess, freshRoot, removeRoot, startAgent } from "../agent/agent-process.ts";
import { at, newestEvent, send, waitForStack } from "./host-client.ts";

const SCRIPT = `#!/bin/sh
echo "$deploy_action begin" >> log
if [ "$deploy_action" = DELETE ]; then while [ ! -e go ]; do sleep 0.05; done; fi
echo "$deploy_action end" >> log
`;
const DEPLOYMENT = {
  config: { get_resource: "config" },
  actions: ["CREATE", "DELETE"],
};
const SINGLE: JsonObject = {
  type: "OS::Heat::SoftwareDeployment",
  properties: { ...DEPLOYMENT, server: { get_resource: "machine" } },
};
const groupOf = (...names: readonly string[]): JsonObject => ({
  type: "OS::Heat::SoftwareDeploymentGroup",
  properties: {
    ...DEPLOYMENT,
    servers: Object.fromEntries(names.map((name) => [name, { get_resource: "machine" }])),
  },
});

const site = (note: string, setup?: JsonObject): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources: {
    machine: { type: "OS::Heat::DeployedServer" },
    note: { type: "OS::Heat::TestResource", properties: { value: note } },
    config: {
      type: "OS::Heat::SoftwareConfig",
      properties: { group: "script", config: SCRIPT },
    },
    ...(setup === undefined ? {} : { setup }),
  },
  outputs: { url: { value: { get_attr: ["machine", "os_collect_config", "request"] } } },
});

let host: Host;
let root: string;
let agent: AgentProcess | null;
beforeEach(async () => {
  host = await startHost({ port: 0, data: null });
  root = freshRoot();
  agent = null;
});
afterEach(async () => {
  await agent?.kill("SIGKILL");
  await host.stop();
  removeRoot(root);
});

const log = (): readonly string[] => {
  const path = join(root, "log");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
};
const letGo = (): void => writeFileSync(join(root, "go"), "");

const stack = async (): Promise<Json | undefined> =>
  at((await send(host.url, "GET", "/v1/demo/stacks/site")).body, "stack");
const path = async (): Promise<string> => `/v1/demo/stacks/site/${String(at(await stack(), "id"))}`;
const noteIs = async (): Promise<Json | undefined> =>
  at(
    (await send(host.url, "GET", `${await path()}/resources/note`)).body,
    "resource",
    "attributes",
    "output",
  );
const reasons = async (): Promise<readonly string[]> => {
  const { body } = await send(host.url, "GET", `${await path()}/events?nested_depth=3`);
  const events = at(body, "events");
  return (Array.isArray(events) ? events : []).map((one) =>
    String(at(one, "resource_status_reason")),
  );
};

const startSite = async (setup: JsonObject): Promise<void> => {
  await send(host.url, "POST", "/v1/demo/stacks", {
    stack_name: "site",
    template: site("one", setup),
  });
  const url = async (): Promise<Json | undefined> => {
    const outputs = at(await stack(), "outputs");
    return at(Array.isArray(outputs) ? outputs[0] : undefined, "output_value", "metadata_url");
  };
  await expect.poll(url).toMatch(/^http/);
  agent = startAgent(String(await url()), root);
  expect(await waitForStack(host.url, "site")).toBe("CREATE_COMPLETE");
};

const update = async (template: JsonObject): Promise<string> => {
  const marker = await newestEvent(host.url, "site");
  const answer = await send(host.url, "PUT", await path(), { template });
  expect(answer.status).toBe(202);
  return marker;
};

const begun = (): Promise<void> => expect.poll(log).toContain("DELETE begin");

/** The newer request has done everything else, and waits only for the script. */
const waits = async (value: string): Promise<void> => {
  await expect.poll(noteIs).toBe(value);
  expect(at(await stack(), "stack_status")).toBe("UPDATE_IN_PROGRESS");
  expect(log()).not.toContain("DELETE end");
};

const endsOnce = async (marker: string): Promise<void> => {
  letGo();
  expect(await waitForStack(host.url, "site", marker)).toBe("UPDATE_COMPLETE");
  expect(log().filter((line) => line.startsWith("DELETE"))).toEqual(["DELETE begin", "DELETE end"]);
  expect((await reasons()).join()).not.toContain("without an answer");
};

describe("a DELETE script that runs on its server", () => {
  it("is waited for if the delete of its stack is asked again", async () => {
    await startSite(SINGLE);
    const own = await path();
    expect((await send(host.url, "DELETE", own)).status).toBe(204);
    await begun();
    const before = await stack();
    expect((await send(host.url, "DELETE", own)).status).toBe(204);
    expect(await stack()).toEqual(before);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(at(await stack(), "stack_status")).toBe("DELETE_IN_PROGRESS");
    letGo();
    const status = async (): Promise<Json | undefined> =>
      at((await send(host.url, "GET", own)).body, "stack", "stack_status");
    await expect.poll(status).toBe("DELETE_COMPLETE");
    expect(log()).toEqual(["CREATE begin", "CREATE end", "DELETE begin", "DELETE end"]);
  });

  it("is waited for if another update overtakes the one that removes it", async () => {
    await startSite(SINGLE);
    await update(site("two"));
    await begun();
    const marker = await update(site("three"));
    await waits("three");
    await endsOnce(marker);
  });

  it("is waited for if a PATCH comes that changes nothing", async () => {
    await startSite(SINGLE);
    await update(site("two"));
    await begun();
    const marker = await newestEvent(host.url, "site");
    expect((await send(host.url, "PATCH", await path(), {})).status).toBe(202);
    await waits("two");
    await endsOnce(marker);
  });

  it("is waited for if its server was taken out of a group, and the next update comes", async () => {
    await startSite(groupOf("left", "right"));
    await update(site("two", groupOf("left")));
    await begun();
    const marker = await update(site("three", groupOf("left")));
    await waits("three");
    await endsOnce(marker);
  });

  it("comes before the CREATE of an update that wants its resource again", async () => {
    await startSite(SINGLE);
    await update(site("two"));
    await begun();
    const marker = await update(site("three", SINGLE));
    await waits("three");
    await endsOnce(marker);
    expect(log().slice(-2)).toEqual(["CREATE begin", "CREATE end"]);
  });

  it("is waited for after its update was cancelled, and the next one goes on around it", async () => {
    await startSite(SINGLE);
    await update(site("two"));
    await begun();
    await send(host.url, "POST", `${await path()}/actions`, { cancel_without_rollback: null });
    expect(at(await stack(), "stack_status")).toBe("UPDATE_FAILED");
    const marker = await update(site("three"));
    await waits("three");
    await endsOnce(marker);
  });
});

describe("a DELETE script that its server has not fetched yet", () => {
  it("is run after two updates have come", async () => {
    await startSite(SINGLE);
    await agent?.kill("SIGTERM");
    await update(site("two"));
    const marker = await update(site("three"));
    await expect.poll(noteIs).toBe("three");
    const outputs = at(await stack(), "outputs");
    const url = at(Array.isArray(outputs) ? outputs[0] : undefined, "output_value", "metadata_url");
    agent = startAgent(String(url), root);
    await endsOnce(marker);
  });
});
