import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { at, newestEvent, send, waitForStack } from "./host-client.ts";

const hosts: Host[] = [];
const folders: string[] = [];
const start = async (data: string | null = null): Promise<string> => {
  const host = await startHost({ port: 0, data });
  hosts.push(host);
  return host.url;
};

afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.stop()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** The inner resource waits a moment in each operation, or fails after it. */
const child = (more = ""): string => `
heat_template_version: 2018-08-31
parameters:
  value: {type: string}
  fail: {type: boolean, default: false}
  wait: {type: number, default: 0.2}
resources:
  inner:
    type: OS::Heat::TestResource
    properties: {value: {get_param: value}, fail: {get_param: fail}, wait_secs: {get_param: wait}}
${more}
outputs:
  said: {value: {get_attr: [inner, output]}}
`;

const parent = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources: {
    below: { type: "child.yaml", properties },
    dependent: {
      type: "OS::Heat::Value",
      properties: { value: { get_attr: ["below", "said"] } },
    },
    ...more,
  },
  outputs: { said: { value: { get_attr: ["dependent", "value"] } } },
});

const files = { "child.yaml": child() };
const create = (url: string, template: JsonObject, extra: JsonObject = {}) =>
  send(url, "POST", "/v1/demo/stacks", { stack_name: "top", template, files, ...extra });
const update = async (url: string, template: JsonObject, extra: JsonObject = {}) => {
  const marker = await newestEvent(url, "top");
  await send(url, "PUT", "/v1/demo/stacks/top", { template, files, ...extra });
  return waitForStack(url, "top", marker);
};
const said = async (url: string): Promise<Json | undefined> =>
  at((await send(url, "GET", "/v1/demo/stacks/top")).body, "stack", "outputs", 0, "output_value");
const list = (document: Json | undefined): readonly Json[] =>
  Array.isArray(document) ? document : [];
const below = async (url: string): Promise<Json> => {
  const { body } = await send(url, "GET", "/v1/demo/stacks?show_nested=true&show_deleted=true");
  return list(at(body, "stacks")).find((one) => at(one, "parent") !== null) ?? null;
};
const stateBelow = async (url: string) => at(await below(url), "stack_status");

const deleteAll = async (url: string): Promise<void> => {
  const { body } = await send(url, "GET", "/v1/demo/stacks/top");
  const path = `/v1/demo/stacks/top/${String(at(body, "stack", "id"))}`;
  expect((await send(url, "DELETE", path)).status).toBe(204);
  await expect
    .poll(async () => at((await send(url, "GET", path)).body, "stack", "stack_status"), {
      timeout: 20_000,
    })
    .toBe("DELETE_COMPLETE");
  expect((await send(url, "GET", "/_dev/resources")).body).toEqual({ resources: [] });
};

describe("nested stacks on the embedded host", () => {
  it("are created, updated in place and deleted with their parent, and pass values to their dependents", async () => {
    const url = await start();
    expect((await create(url, parent({ value: "one" }))).status).toBe(201);
    expect(await waitForStack(url, "top")).toBe("CREATE_COMPLETE");
    expect(await said(url)).toBe("one");
    const id = at(await below(url), "id");
    expect(await update(url, parent({ value: "two" }))).toBe("UPDATE_COMPLETE");
    expect(await said(url)).toBe("two");
    expect(at(await below(url), "id")).toBe(id);
    const { body } = await send(url, "GET", "/v1/demo/stacks/top/resources?nested_depth=2");
    const names = list(at(body, "resources")).map((one) => at(one, "resource_name"));
    expect(names).toEqual(["below", "dependent", "inner"]);
    await deleteAll(url);
    expect(await stateBelow(url)).toBe("DELETE_COMPLETE");
  });

  it("that fail in an update are restored by their parent's rollback", async () => {
    const url = await start();
    await create(url, parent({ value: "one" }), { disable_rollback: false });
    await waitForStack(url, "top");
    const broken = parent({ value: "two", fail: true });
    const marker = await newestEvent(url, "top");
    await send(url, "PUT", "/v1/demo/stacks/top", { template: broken, files });
    expect(await waitForStack(url, "top", marker)).toBe("ROLLBACK_COMPLETE");
    expect(await said(url)).toBe("one");
    await deleteAll(url);
  });

  it("that fail in a create are removed by their parent's rollback, with the reason in its events", async () => {
    const url = await start();
    await create(url, parent({ value: "one", fail: true }), { disable_rollback: false });
    expect(await waitForStack(url, "top")).toBe("ROLLBACK_COMPLETE");
    const { body } = await send(url, "GET", "/v1/demo/stacks/top/events");
    expect(JSON.stringify(body)).toContain("Test Resource failed inner");
    expect(await stateBelow(url)).toBe("DELETE_COMPLETE");
  });

  it("are overtaken with their parent, and stop where a cancel without rollback finds them", async () => {
    const url = await start();
    await create(url, parent({ value: "one" }));
    await waitForStack(url, "top");
    const slow = parent({ value: "two", wait: 600 });
    await send(url, "PUT", "/v1/demo/stacks/top", { template: slow, files });
    await expect.poll(() => stateBelow(url), { timeout: 10_000 }).toBe("UPDATE_IN_PROGRESS");
    const cancel = { cancel_without_rollback: null };
    await send(url, "POST", "/v1/demo/stacks/top/actions", cancel);
    await expect.poll(() => stateBelow(url), { timeout: 20_000 }).toBe("UPDATE_FAILED");
    expect(at(await below(url), "stack_status_reason")).toBe("Stack UPDATE cancelled");
  });

  it("resume after the host was stopped midway", async () => {
    const folder = mkdtempSync(join(tmpdir(), "hearth-nested-"));
    folders.push(folder);
    const url = await start(folder);
    await create(url, parent({ value: "one", wait: 1 }));
    await expect.poll(() => stateBelow(url), { timeout: 10_000 }).toBe("CREATE_IN_PROGRESS");
    await Promise.all(hosts.splice(0).map((host) => host.stop()));
    const again = await start(folder);
    expect(await waitForStack(again, "top")).toBe("CREATE_COMPLETE");
    expect(await said(again)).toBe("one");
    await deleteAll(again);
  });

  it("follow the registry: it may give one resource another template for its type", async () => {
    const url = await start();
    const template = {
      heat_template_version: "2018-08-31",
      resources: {
        web_1: { type: "My::Server", properties: { value: "a" } },
        db: { type: "My::Server", properties: { value: "b" } },
      },
      outputs: { web: { value: { get_attr: ["web_1", "kind"] } } },
    };
    const kinds = child().replace("outputs:", "outputs:\n  kind: {value: web}");
    const environment = {
      resource_registry: {
        "My::Server": "child.yaml",
        resources: { "web_*": { "My::Server": "web.yaml" } },
      },
    };
    await create(url, template, { environment, files: { ...files, "web.yaml": kinds } });
    expect(await waitForStack(url, "top")).toBe("CREATE_COMPLETE");
    const { body } = await send(url, "GET", "/v1/demo/stacks/top");
    expect(at(body, "stack", "outputs", 0, "output_value")).toBe("web");
    await deleteAll(url);
  });
});
