import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { hearth } from "../cli/hearth-process.ts";
import { at, send, waitForStack } from "./host-client.ts";
import { MovedClock } from "./moved-clock.ts";

const HOUR_MS = 3_600_000;
const WAIT_SECONDS = 0.4;

/** The resource waits for its provider, so each operation needs messages that are not due yet. */
const template = (value: string) => ({
  heat_template_version: "2016-10-14",
  resources: Object.fromEntries(
    ["a", "b", "c"].map((name, index) => [
      name,
      {
        type: "OS::Heat::TestResource",
        properties: { value, wait_secs: WAIT_SECONDS },
        ...(index > 0 ? { depends_on: ["a", "b", "c"][index - 1] } : {}),
      },
    ]),
  ),
});

let folder: string;
let host: Host | null = null;
let clock = new MovedClock();
const start = async (): Promise<string> => {
  host = await startHost({ port: 0, data: folder, clockSources: clock.sources });
  return host.url;
};
const stop = async (): Promise<void> => {
  await host?.stop();
  host = null;
};
beforeEach(() => {
  folder = freshFolder();
  clock = new MovedClock();
});
afterEach(async () => {
  await stop();
  removeFolder(folder);
});

const create = (url: string) =>
  send(url, "POST", "/v1/demo/stacks", { stack_name: "app", template: template("1") });
const untilMiddle = (url: string): Promise<void> =>
  expect
    .poll(() => eventsOf(url, "sort_dir=asc"), { timeout: 20_000 })
    .toContain("a CREATE_COMPLETE");

const eventsOf = async (url: string, query: string): Promise<readonly string[]> => {
  const { body } = await send(url, "GET", `/v1/demo/stacks/app/events?${query}`);
  const events = at(body, "events");
  return (Array.isArray(events) ? events : []).map(
    (event) => `${at(event, "resource_name")} ${at(event, "resource_status")}`,
  );
};
const CAUSES = [
  "app CREATE_IN_PROGRESS",
  ...["a", "b", "c"].flatMap((name) => [`${name} CREATE_IN_PROGRESS`, `${name} CREATE_COMPLETE`]),
  "app CREATE_COMPLETE",
];

describe("a clock that jumps back by an hour", () => {
  it("makes no stack wait, and its events stay in the order of their causes", async () => {
    const url = await start();
    await create(url);
    await untilMiddle(url);
    clock.aheadMs = -HOUR_MS;
    expect(await waitForStack(url, "app")).toBe("CREATE_COMPLETE");
    expect(await eventsOf(url, "sort_dir=asc")).toEqual(CAUSES);
    expect(await eventsOf(url, "sort_dir=desc")).toEqual(CAUSES.toReversed());
    expect(await eventsOf(url, "sort_keys=event_time&sort_dir=asc")).toEqual(CAUSES);
    expect((await send(url, "DELETE", "/v1/demo/stacks/app")).status).toBe(204);
    await expect
      .poll(async () => (await send(url, "GET", "/v1/demo/stacks/app")).status, {
        timeout: 20_000,
      })
      .toBe(404);
  });

  it("makes no stack wait that a restarted host goes on with", async () => {
    const before = await start();
    await create(before);
    await untilMiddle(before);
    await stop();
    clock.aheadMs = -HOUR_MS;
    const url = await start();
    expect(await waitForStack(url, "app")).toBe("CREATE_COMPLETE");
    expect(await eventsOf(url, "sort_dir=asc")).toEqual(CAUSES);
  });

  it("is told by the health and by the doctor, as a warning", async () => {
    const url = await start();
    await create(url);
    clock.aheadMs = -HOUR_MS;
    const { code, stdout } = await hearth(url, "doctor");
    expect(stdout).toMatch(/warning +clock +the machine's clock went back.* 3600 s ahead of it/);
    expect(code).toBe(0);
  });
});

describe("a clock that leaps forward by a month", () => {
  it("ends no stack and deletes nothing, and the doctor says why", async () => {
    const url = await start();
    await create(url);
    await untilMiddle(url);
    clock.aheadMs = 31 * 24 * HOUR_MS;
    expect(await waitForStack(url, "app")).toBe("CREATE_COMPLETE");
    const { stdout } = await hearth(url, "doctor");
    expect(stdout).toMatch(/warning +clock +the machine's clock leapt forward by 2678400 s/);
    const created = at(
      (await send(url, "GET", "/v1/demo/stacks/app")).body,
      "stack",
      "creation_time",
    );
    expect(Date.parse(String(created))).toBeLessThan(Date.now() + HOUR_MS);
  });
});

describe("a machine that sleeps for longer than a timeout", () => {
  it("fails the stack in order", async () => {
    const url = await start();
    await create(url);
    await untilMiddle(url);
    clock.sleptMs = 2 * HOUR_MS;
    expect(await waitForStack(url, "app")).toBe("CREATE_FAILED");
    const reason = at((await send(url, "GET", "/v1/demo/stacks/app")).body, "stack");
    expect(String(at(reason, "stack_status_reason"))).toMatch(/no time left|timed out/i);
  });
});

describe("a host that was away for longer than a timeout", () => {
  const SERVER = {
    heat_template_version: "2018-08-31",
    resources: {
      server: { type: "OS::Heat::DeployedServer", properties: { name: "web" } },
      config: { type: "OS::Heat::SoftwareConfig", properties: { group: "script", config: "" } },
      deployment: {
        type: "OS::Heat::SoftwareDeployment",
        properties: { config: { get_resource: "config" }, server: { get_resource: "server" } },
      },
    },
    outputs: { agent: { value: { get_attr: ["server", "os_collect_config"] } } },
  };

  it("takes the result that an agent has kept for it, and its stack has the time that was left", async () => {
    const before = await start();
    await send(before, "POST", "/v1/demo/stacks", { stack_name: "app", template: SERVER });
    const signalUrl = async (): Promise<string> => {
      const { body } = await send(before, "GET", "/v1/demo/stacks/app");
      const url = at(body, "stack", "outputs", 0, "output_value", "request", "metadata_url");
      if (typeof url !== "string") return "";
      const document = (await send("", "GET", url)).body;
      const inputs = at(document, "deployments", 0, "inputs");
      const input = Array.isArray(inputs)
        ? inputs.find((one) => at(one, "name") === "deploy_signal_id")
        : undefined;
      return String(at(input, "value") ?? "");
    };
    await expect.poll(signalUrl, { timeout: 20_000 }).toMatch(/^http/);
    const url = await signalUrl();
    await stop();
    clock.aheadMs = 3 * HOUR_MS;
    // With another port no connection to the former host is used again.
    const now = await start();
    const answer = await send("", "PUT", url.replace(before, now), { deploy_status_code: 0 });
    expect(answer.status).toBe(200);
    expect(await waitForStack(now, "app")).toBe("CREATE_COMPLETE");
  });
});
