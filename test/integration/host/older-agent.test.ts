/**
 * The agents of released versions (test/upgrade/agents, made by test/upgrade/make-folder.ts) with
 * the host of today, and with the agent of today on the same machine before and after them.
 */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { rotateKeys } from "#lib/adapters/sqlite/folder/rotate-keys.ts";
import { type AgentProcess, startAgent, startProgram } from "../agent/agent-process.ts";
import { at, newestEvent, send, waitForStack } from "./host-client.ts";
import { numberedScript, outputOfApp } from "./numbered-script.ts";

const AGENTS = new URL("../../upgrade/agents/", import.meta.url);
const VERSIONS = readdirSync(AGENTS);
const SOON = { timeout: 20_000 };

let folder = "";
let host: Host;
let agent: AgentProcess | null;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "hearth-older-"));
  agent = null;
  host = await startHost({ port: 0, data: join(folder, "data") });
});
afterEach(async () => {
  await agent?.kill("SIGKILL");
  await host.stop();
  rmSync(folder, { recursive: true });
});

const template = (number: number) => numberedScript(folder, number);
const output = (index: number) => outputOfApp(host.url, index);

const firstUrl = async (): Promise<string> => {
  const url = async () => at(await output(0), "request", "metadata_url");
  await expect.poll(url, SOON).toMatch(/^http/);
  return String(await url());
};

const updatesTo = async (number: number): Promise<void> => {
  const marker = await newestEvent(host.url, "app");
  await send(host.url, "PATCH", "/v1/demo/stacks/app", { template: template(number) });
  expect(await waitForStack(host.url, "app", marker)).toBe("UPDATE_COMPLETE");
  expect(await output(1)).toBe(String(number));
};

/** Two rotations, as in half a year. The host has the same address afterwards. */
const rotateTwice = async (): Promise<void> => {
  const port = Number(new URL(host.url).port);
  await host.stop();
  for (const _ of [1, 2]) rotateKeys(join(folder, "data"), { now: Date.now(), leaked: false });
  host = await startHost({ port, data: join(folder, "data") });
  // A kept connection to the former process fails once.
  await expect.poll(() => output(1), SOON).toBe("1");
};

it("is tried with the agent of a released version", () => {
  expect(VERSIONS).toContain("0.1.0");
});

describe.each(VERSIONS)("the agent of Hearth %s", (version) => {
  it("runs each script once, over rotations, and as it is upgraded and goes back", async () => {
    const program = join(folder, "older.mjs");
    copyFileSync(new URL(version, AGENTS), program);
    await send(host.url, "POST", "/v1/demo/stacks", { stack_name: "app", template: template(1) });
    const url = await firstUrl();
    const starts = (isOlder: boolean) => {
      const root = join(folder, "agent");
      agent = isOlder ? startProgram(program, url, root) : startAgent(url, root);
    };
    starts(true);
    expect(await waitForStack(host.url, "app")).toBe("CREATE_COMPLETE");
    await rotateTwice();
    await updatesTo(2);
    for (const [number, isOlder] of [
      [3, false],
      [4, true],
      [5, false],
    ] as const) {
      await agent?.kill("SIGTERM");
      starts(isOlder);
      await updatesTo(number);
    }
    expect(readFileSync(join(folder, "ran"), "utf8")).toBe("1\n2\n3\n4\n5\n");
  });
});
