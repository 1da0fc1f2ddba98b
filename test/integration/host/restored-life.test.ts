/**
 * A folder is restored, and the operator goes on. The host must not take what an agent remembers of
 * the lost time for the work that begins now.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { type AgentProcess, startAgent } from "../agent/agent-process.ts";
import { hearth } from "../cli/hearth-process.ts";
import { at, newestEvent, send, waitForStack } from "./host-client.ts";
import { numberedScript, outputOfApp } from "./numbered-script.ts";

const SOON = { timeout: 20_000 };

let folder = "";
let host: Host;
let agent: AgentProcess | null;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "hearth-life-"));
  agent = null;
  host = await startHost({ port: 0, data: join(folder, "data") });
});
afterEach(async () => {
  await agent?.kill("SIGKILL");
  await host.stop();
  rmSync(folder, { recursive: true });
});

const template = (number: number) =>
  numberedScript(
    folder,
    number,
    `[ $number = 1 ] || until [ -e '${folder}/go' ]; do sleep 0.05; done`,
  );

const ran = (): string =>
  existsSync(join(folder, "ran")) ? readFileSync(join(folder, "ran"), "utf8") : "";

const output = (index: number) => outputOfApp(host.url, index);

const update = async (number: number): Promise<string> => {
  const marker = await newestEvent(host.url, "app");
  await send(host.url, "PATCH", "/v1/demo/stacks/app", { template: template(number) });
  return marker;
};

/** The backup has the first state. Then the update to 2 begins, and its script runs. */
const begin = async (): Promise<string> => {
  await send(host.url, "POST", "/v1/demo/stacks", { stack_name: "app", template: template(1) });
  const url = async () => at(await output(0), "request", "metadata_url");
  await expect.poll(url, SOON).toMatch(/^http/);
  agent = startAgent(String(await url()), join(folder, "agent"));
  expect(await waitForStack(host.url, "app")).toBe("CREATE_COMPLETE");
  const args = [join(folder, "backup"), "--data", join(folder, "data")];
  expect(await hearth(host.url, "backup", ...args)).toMatchObject({ code: 0 });
  const marker = await update(2);
  await expect.poll(ran, SOON).toBe("1\n2\n");
  return marker;
};

const restore = async (): Promise<void> => {
  const port = Number(new URL(host.url).port);
  await host.stop();
  const data = join(folder, "restored");
  const restored = await hearth("", "restore", join(folder, "backup"), "--data", data);
  expect(restored).toMatchObject({ code: 0 });
  expect(restored.stdout).toContain("Its signing keys are those of that moment (1).");
  host = await startHost({ port, data });
};

const goOn = async (): Promise<void> => {
  const marker = await update(3);
  writeFileSync(join(folder, "go"), "");
  expect(await waitForStack(host.url, "app", marker)).toBe("UPDATE_COMPLETE");
  expect(await output(1)).toBe("3");
  expect(ran()).toBe("1\n2\n3\n");
};

describe("an update after a restore", () => {
  it("runs its script, where the one of the lost time has ended with a result", async () => {
    const marker = await begin();
    writeFileSync(join(folder, "go"), "");
    expect(await waitForStack(host.url, "app", marker)).toBe("UPDATE_COMPLETE");
    await restore();
    await goOn();
  });

  it("runs its script, where the one of the lost time still runs", async () => {
    await begin();
    await restore();
    await goOn();
  });
});
