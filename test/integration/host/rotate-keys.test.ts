import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { type Host, startHost } from "#host/host.ts";
import { hearth } from "../cli/hearth-process.ts";
import { at, send, waitForStack } from "./host-client.ts";

const LOOKED = { timeout: 10_000 };
const TEMPLATE = {
  heat_template_version: "2018-08-31",
  resources: { web: { type: "OS::Heat::DeployedServer" } },
  outputs: { agent: { value: { get_attr: ["web", "os_collect_config"] } } },
};
const Rotated = z.object({
  signs: z.string(),
  verify: z.array(z.string()),
  removed: z.array(z.string()),
});

let folder = "";
let host: Host;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "hearth-rotate-"));
  host = await startHost({ port: 0, data: folder });
});
afterEach(async () => {
  await host.stop();
  rmSync(folder, { recursive: true });
});

const urlNow = async (): Promise<string> => {
  const { body } = await send(host.url, "GET", "/v1/demo/stacks/app");
  return String(at(body, "stack", "outputs", 0, "output_value", "request", "metadata_url"));
};
const kidOf = (url: string): string | null => new URL(url).searchParams.get("kid");
const rotate = (...more: readonly string[]) =>
  hearth(host.url, "keys", "rotate", "--data", folder, ...more);
const statusOf = async (url: string): Promise<number> => {
  const response = await fetch(url);
  await response.body?.cancel();
  return response.status;
};

describe("keys rotate", () => {
  it("while the host runs, no poll fails, and the URL of the former key still works", async () => {
    await send(host.url, "POST", "/v1/demo/stacks", { stack_name: "app", template: TEMPLATE });
    expect(await waitForStack(host.url, "app")).toBe("CREATE_COMPLETE");
    const first = await urlNow();
    const polling = { goesOn: true, statuses: new Map<number, number>() };
    const poller = (async () => {
      while (polling.goesOn) {
        for (const url of [first, await urlNow()]) {
          const status = await statusOf(url);
          polling.statuses.set(status, (polling.statuses.get(status) ?? 0) + 1);
        }
      }
    })();
    const rotated = Rotated.parse(JSON.parse((await rotate("--json")).stdout));
    expect(rotated).toMatchObject({ verify: [kidOf(first)], removed: [] });
    await expect.poll(async () => kidOf(await urlNow()), LOOKED).toBe(rotated.signs);
    polling.goesOn = false;
    await poller;
    expect([...polling.statuses.keys()]).toEqual([200]);
    expect(await statusOf(first)).toBe(200);
  });

  it("again and again ends no URL; after a leak all end, and it says what that costs", async () => {
    await send(host.url, "POST", "/v1/demo/stacks", { stack_name: "app", template: TEMPLATE });
    expect(await waitForStack(host.url, "app")).toBe("CREATE_COMPLETE");
    const first = await urlNow();
    for (const _ of [1, 2, 3])
      expect((await rotate()).stdout).toContain(`${kidOf(first)}) stay valid`);
    expect(await statusOf(first)).toBe(200);
    const { stdout } = await rotate("--leaked");
    expect(stdout).toContain("are refused from now on (keys");
    expect(stdout).toContain(
      'Servers that need "hearth server bootstrap STACK NAME" on their machines: 1.',
    );
    await expect.poll(() => statusOf(first), LOOKED).toBe(403);
    expect(await statusOf(await urlNow())).toBe(200);
  });

  it("works while the host is stopped", async () => {
    await host.stop();
    const { signs } = Rotated.parse(JSON.parse((await rotate("--json")).stdout));
    host = await startHost({ port: 0, data: folder });
    await send(host.url, "POST", "/v1/demo/stacks", { stack_name: "app", template: TEMPLATE });
    expect(await waitForStack(host.url, "app")).toBe("CREATE_COMPLETE");
    expect(kidOf(await urlNow())).toBe(signs);
  });

  it("says in one sentence why it cannot", async () => {
    const empty = join(folder, "none");
    const { code, stderr } = await hearth(host.url, "keys", "rotate", "--data", empty);
    const text = `ERROR: ${empty} is not a data folder with keys. "hearth serve" makes one.\n`;
    expect([code, stderr]).toEqual([1, text]);
  });
});
