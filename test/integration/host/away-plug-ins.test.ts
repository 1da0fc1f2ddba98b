import { afterEach, beforeEach, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { formerTypesOf } from "#host/plugins/former-plugins.ts";
import { loadKnownPlugins } from "#host/plugins/load-plugin.ts";
import { type ServedProvider, serveProvider } from "#provider/http/serve-provider.ts";
import type { Answer, Provider } from "#provider/provider.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { at, newestEvent, send, waitForStack } from "./host-client.ts";

const SECRET = "the secret of this test, which is long enough";
const finished = async (): Promise<Answer> => ({ state: "finished", physicalId: "object" });
const provider: Provider = {
  provider: 2,
  name: "things",
  types: {
    "My::Thing": {
      description: "A thing.",
      properties: { size: { type: "number", updateAllowed: true } },
      tokens: "kept",
      create: finished,
      update: finished,
      delete: finished,
    },
  },
};
const stack = (name: string, type: string, properties: object) => ({
  stack_name: name,
  template: {
    heat_template_version: "2018-08-31",
    resources: { one: { type, properties: { ...properties } } },
  },
});

let folder: string;
let host: Host | null = null;
let served: ServedProvider | null = null;
beforeEach(() => {
  folder = freshFolder();
});
afterEach(async () => {
  await host?.stop();
  await served?.close();
  [host, served] = [null, null];
  removeFolder(folder);
});

const start = async (url: string): Promise<string> => {
  const secrets = new Map([[url, SECRET]]);
  const remote = { secrets, allowsPlainHttp: false, waitSecondsMax: 0 };
  const loaded = await loadKnownPlugins([url], remote, (source) => formerTypesOf(folder, source));
  host = await startHost({ port: 0, data: folder, ...loaded });
  return host.url;
};

it("does all other work, and goes on with the plug-in's when that is back", async () => {
  served = await serveProvider(provider, { secrets: [SECRET], port: 0 });
  const { url: address } = served;
  const port = Number(new URL(address).port);
  const first = await start(address);
  await send(first, "POST", "/v1/demo/stacks", stack("app", "My::Thing", { size: 1 }));
  expect(await waitForStack(first, "app")).toBe("CREATE_COMPLETE");
  await host?.stop();
  await served.close();
  served = null;

  const url = await start(address);
  await send(url, "POST", "/v1/demo/stacks", stack("other", "OS::Heat::TestResource", {}));
  expect(await waitForStack(url, "other")).toBe("CREATE_COMPLETE");
  const refused = await send(url, "POST", "/v1/demo/stacks", stack("late", "My::Thing", {}));
  expect(refused.status).toBe(503);
  expect(JSON.stringify(refused.body)).toContain(
    `the provider at ${address} does not say its types`,
  );
  const shown = await send(url, "GET", "/v1/demo/stacks/app");
  expect(at(shown.body, "stack", "stack_status")).toBe("CREATE_COMPLETE");

  served = await serveProvider(provider, { secrets: [SECRET], port });
  const marker = await newestEvent(url, "app");
  const { template } = stack("app", "My::Thing", { size: 2 });
  expect((await send(url, "PATCH", "/v1/demo/stacks/app", { template })).status).toBe(202);
  expect(await waitForStack(url, "app", marker)).toBe("UPDATE_COMPLETE");
});

it("refuses a server that it has never known", async () => {
  await expect(start("http://127.0.0.1:9")).rejects.toThrow("http://127.0.0.1:9");
});
