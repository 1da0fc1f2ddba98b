import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { at, newestEvent, send, waitForStack } from "./host-client.ts";

const LONG_SECONDS = 400;
/** For the test type, -1 is a wait without an end. */
const ENDLESS_SECONDS = -1;
const GONE_MS_MAX = 10_000;

let folder: string;
let host: Host | null = null;
const start = async (): Promise<string> => {
  host = await startHost({ port: 0, data: folder });
  return host.url;
};
beforeEach(() => {
  folder = freshFolder();
});
afterEach(async () => {
  await host?.stop();
  removeFolder(folder);
});

const list = (document: Json | undefined): readonly Json[] =>
  Array.isArray(document) ? document : [];
const stacks = "/v1/demo/stacks";

const statesOf = async (url: string, name: string): Promise<readonly string[]> => {
  const { body } = await send(url, "GET", `${stacks}/${name}/resources?nested_depth=3`);
  return list(at(body, "resources")).map(
    (one) => `${at(one, "resource_name")} ${at(one, "resource_status")}`,
  );
};

const untilThere = (url: string, name: string, state: string): Promise<void> =>
  expect.poll(() => statesOf(url, name), { timeout: 20_000 }).toContain(state);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const isGoneSoon = async (url: string, name: string): Promise<void> => {
  const path = `${stacks}/${name}`;
  expect((await send(url, "DELETE", path)).status).toBe(204);
  const seen = async () => (await send(url, "GET", path)).status;
  await expect.poll(seen, { timeout: GONE_MS_MAX }).toBe(404);
  expect((await send(url, "GET", "/_dev/resources")).body).toEqual({ resources: [] });
};

const slowly = (seconds: number): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources: {
    first: { type: "OS::Heat::TestResource" },
    long: {
      type: "OS::Heat::TestResource",
      properties: { action_wait_secs: { create: seconds }, value: { get_resource: "first" } },
    },
  },
});

describe("a stack that is deleted while a resource of it takes long", () => {
  it("is gone at once, and nothing is left at the provider", async () => {
    const url = await start();
    await send(url, "POST", stacks, { stack_name: "app", template: slowly(LONG_SECONDS) });
    await untilThere(url, "app", "long CREATE_IN_PROGRESS");
    await pause(3_000);
    await isGoneSoon(url, "app");
  });

  it("is gone at once, also if the resource would never be ready", async () => {
    const url = await start();
    await send(url, "POST", stacks, { stack_name: "app", template: slowly(ENDLESS_SECONDS) });
    await untilThere(url, "app", "long CREATE_IN_PROGRESS");
    await isGoneSoon(url, "app");
  });

  it("is gone at once after its host was started again", async () => {
    const url = await start();
    await send(url, "POST", stacks, { stack_name: "app", template: slowly(LONG_SECONDS) });
    await untilThere(url, "app", "long CREATE_IN_PROGRESS");
    await host?.stop();
    await isGoneSoon(await start(), "app");
  });
});

/** Two levels: the outer one passes its value on, and the inner one's resource changes slowly. */
const passing = (name: string, type: string): string => `
heat_template_version: 2018-08-31
parameters:
  value: {type: string}
resources:
  ${name}:
    type: ${type}
    properties: {value: {get_param: value}}
`;
const SLOW_BELOW = `
heat_template_version: 2018-08-31
parameters:
  value: {type: string}
resources:
  long:
    type: OS::Heat::TestResource
    properties: {value: {get_param: value}, action_wait_secs: {update: 6000}}
`;
const EMPTY_BELOW = `
heat_template_version: 2018-08-31
parameters:
  value: {type: string}
`;

describe("an update that removes a nested stack from a nested stack", () => {
  it("does not wait for the update that goes on in it", async () => {
    const url = await start();
    const template = passing("outer", "outer.yaml");
    const files = { "outer.yaml": passing("inner", "inner.yaml"), "inner.yaml": SLOW_BELOW };
    const ask = (method: string, path: string, value: string, more: JsonObject) =>
      send(url, method, path, { stack_name: "top", template, parameters: { value }, ...more });
    await ask("POST", stacks, "1", { files });
    expect(await waitForStack(url, "top")).toBe("CREATE_COMPLETE");
    await ask("PUT", `${stacks}/top`, "2", { files });
    await untilThere(url, "top", "long UPDATE_IN_PROGRESS");
    const marker = await newestEvent(url, "top");
    const emptied = { "outer.yaml": EMPTY_BELOW };
    await ask("PUT", `${stacks}/top`, "3", { files: emptied });
    expect(await waitForStack(url, "top", marker)).toBe("UPDATE_COMPLETE");
    expect(await statesOf(url, "top")).toEqual(["outer UPDATE_COMPLETE"]);
    await isGoneSoon(url, "top");
  });
});
