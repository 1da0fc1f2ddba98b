import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { loadPlugins } from "#host/plugins/load-plugin.ts";
import type { JsonObject } from "#lib/json.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { at, send, waitForStack } from "./host-client.ts";

const SECRET = "tell-nobody";

const plugin = (folder: string, more: string): string => `
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
const folder = ${JSON.stringify(folder)};
const note = (name) => writeFileSync(join(folder, name), "");
export default {
  provider: 1,
  name: "slow-things",
  types: {
    "My::Slow": {
      description: "A thing that takes its time.",
      properties: {
        mode: { type: "string", updateAllowed: true },
        password: { type: "string", secret: true },
      },
      tokens: "kept",
      create: async ({ resourceName, properties }) => {
        note("called-create");
        if (properties.mode === "throttle" && !existsSync(join(folder, "throttled"))) {
          note("throttled");
          return { state: "throttled" };
        }
        if (properties.mode === "fail") throw new Error("no " + properties.password + " here");
        note("object-" + resourceName);
        return { state: "waiting", physicalId: "object-" + resourceName, pollAfterSeconds: 0.05 };
      },
      update: async () => ({ state: "finished" }),
      poll: async ({ physicalId, properties }) =>
        properties.mode === "endless"
          ? { state: "waiting", physicalId, pollAfterSeconds: 60 }
          : { state: "finished" },
      delete: async ({ physicalId }) => {
        rmSync(join(folder, physicalId), { force: true });
        return { state: "finished" };
      },
      ${more}
    },
  },
};
`;
const CANCEL = 'cancel: async ({ physicalId }) => note("cancelled-" + physicalId),';

let folder: string;
let host: Host | null;
let hosts = 0;
beforeEach(() => {
  folder = freshFolder();
  host = null;
});
afterEach(async () => {
  await host?.stop();
  removeFolder(folder);
});

const start = async (more = ""): Promise<string> => {
  hosts += 1;
  const objects = join(folder, "objects");
  mkdirSync(objects);
  const file = join(folder, `slow-${hosts}.mjs`);
  writeFileSync(file, plugin(objects, more));
  host = await startHost({ port: 0, data: null, plugins: await loadPlugins([file]) });
  return host.url;
};

const made = (): readonly string[] => readdirSync(join(folder, "objects")).toSorted();

const create = async (url: string, properties: JsonObject): Promise<string> => {
  const resources = { slow: { type: "My::Slow", properties } };
  const template = { heat_template_version: "2021-04-16", resources };
  const body = { stack_name: "app", template: JSON.stringify(template) };
  const answer = await send(url, "POST", "/v1/demo/stacks", body);
  expect(answer.status).toBe(201);
  return String(at(answer.body, "stack", "id"));
};

describe("an operation of a plug-in", () => {
  it("that waits is polled to its end", async () => {
    const url = await start();
    await create(url, {});
    expect(await waitForStack(url, "app")).toBe("CREATE_COMPLETE");
    expect(made()).toEqual(["called-create", "object-slow"]);
  });

  it("that is throttled is asked for again", async () => {
    const url = await start();
    await create(url, { mode: "throttle" });
    expect(await waitForStack(url, "app")).toBe("CREATE_COMPLETE");
    expect(made()).toContain("throttled");
  });

  it("that fails says why, without the secret", async () => {
    const url = await start();
    await create(url, { mode: "fail", password: SECRET });
    expect(await waitForStack(url, "app")).toBe("CREATE_FAILED");
    const { body } = await send(url, "GET", "/v1/demo/stacks/app/resources");
    expect(at(body, "resources", 0, "resource_status_reason")).toBe(
      "Error: resources.slow: no ****** here",
    );
    const events = await send(url, "GET", "/v1/demo/stacks/app/events");
    expect(JSON.stringify(events.body)).not.toContain(SECRET);
  });

  it("is cancelled by a delete, which then removes the object", async () => {
    const url = await start(CANCEL);
    const id = await create(url, { mode: "endless" });
    await expect.poll(made, { timeout: 20_000 }).toContain("object-slow");
    await send(url, "DELETE", `/v1/demo/stacks/app/${id}`);
    await expect
      .poll(() => existsSync(join(folder, "objects/object-slow")), { timeout: 20_000 })
      .toBe(false);
    expect(made()).toEqual(["called-create", "cancelled-object-slow"]);
  });

  it("is not cancelled by an update, which waits for it", async () => {
    const url = await start(CANCEL);
    const id = await create(url, { mode: "endless" });
    await expect.poll(made, { timeout: 20_000 }).toContain("object-slow");
    const resources = { slow: { type: "My::Slow", properties: { mode: "quick" } } };
    const template = { heat_template_version: "2021-04-16", resources };
    const answer = await send(url, "PUT", `/v1/demo/stacks/app/${id}`, {
      template: JSON.stringify(template),
    });
    expect(answer.status).toBe(202);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const { body } = await send(url, "GET", "/v1/demo/stacks/app/resources");
    expect(at(body, "resources", 0, "resource_status")).toBe("CREATE_IN_PROGRESS");
    expect(made()).toEqual(["called-create", "object-slow"]);
  });
});
