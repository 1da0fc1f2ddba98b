import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import type { Answer, Provider } from "#provider/provider.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { at, send, waitForStack } from "./host-client.ts";

let folder: string;
let hosts: Host[] = [];
beforeEach(() => {
  folder = freshFolder();
});
afterEach(async () => {
  await Promise.all(hosts.map((host) => host.stop()));
  hosts = [];
  removeFolder(folder);
});

/** A creation that ends when the test says so. With this token policy it is never repeated. */
const slow = () => {
  const calls: string[] = [];
  const called = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const provider: Provider = {
    provider: 1,
    name: "slow",
    types: {
      "My::Slow": {
        description: "A thing whose creation takes its time.",
        properties: {},
        tokens: "ignored",
        create: async ({ resourceName }): Promise<Answer> => {
          calls.push(resourceName);
          called.resolve();
          await release.promise;
          return { state: "finished", physicalId: "thing" };
        },
        update: async () => ({ state: "finished" }),
        delete: async () => ({ state: "finished" }),
      },
    },
  };
  return { calls, called: called.promise, release: release.resolve, provider };
};

const start = async (provider: Provider, stopSeconds?: number): Promise<Host> => {
  const plugins = [{ source: "here", provider }];
  const host = await startHost({ port: 0, data: folder, plugins, stopSeconds });
  hosts.push(host);
  return host;
};
const stopped = async (host: Host): Promise<void> => {
  hosts = hosts.filter((one) => one !== host);
  await host.stop();
};
const create = ({ url }: Host) => {
  const resources = { thing: { type: "My::Slow", properties: {} } };
  const template = { heat_template_version: "2018-08-31", resources };
  return send(url, "POST", "/v1/demo/stacks", { stack_name: "app", template });
};
const ready = async ({ url }: Host) => {
  const { status, body } = await send(url, "GET", "/_ready");
  return { status, body };
};

describe("a stop of the host", () => {
  it("waits for a creation under way, so that its object is known afterwards", async () => {
    const { calls, called, release, provider } = slow();
    const host = await start(provider);
    expect(await ready(host)).toEqual({ status: 200, body: { ready: true } });
    await create(host);
    await called;
    let isStopped = false;
    const stopping = stopped(host).then(() => {
      isStopped = true;
    });
    expect(await ready(host)).toEqual({
      status: 503,
      body: { ready: false, reason: "draining" },
    });
    expect((await send(host.url, "GET", "/_health")).body).toEqual({ alive: true });
    expect(isStopped).toBe(false);
    release();
    await stopping;
    await expect(send(host.url, "GET", "/_ready")).rejects.toThrow();
    const next = await start(provider);
    expect(await waitForStack(next.url, "app")).toBe("CREATE_COMPLETE");
    expect(calls).toEqual(["thing"]);
  });

  it("goes on without a call that takes longer than it may", async () => {
    const { calls, called, release, provider } = slow();
    const host = await start(provider, 0);
    await create(host);
    await called;
    await stopped(host);
    const next = await start(provider);
    expect(await waitForStack(next.url, "app")).toBe("CREATE_FAILED");
    const { body } = await send(next.url, "GET", "/v1/demo/stacks/app");
    expect(String(at(body, "stack", "stack_status_reason"))).toMatch(/outcome|unknown/);
    expect(calls).toEqual(["thing"]);
    release();
  });
});
