/**
 * What a host leaves behind, in its log and its data folder, searched byte for byte for secrets.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KEYS_FILE } from "#lib/adapters/sqlite/keys.ts";
import { present } from "#lib/errors.ts";
import { HEARTH } from "../../hearth-program.ts";
import { at, send, waitForStack } from "../host/host-client.ts";
import {
  attempt,
  readSite,
  SOFTWARE_TEMPLATE,
  type SoftwareSite,
  withQuery,
} from "./software-site.ts";

let folder = "";
let child: ChildProcess;
let printed = "";

/** With its log on, unlike in the other tests. */
const startServe = async (): Promise<string> => {
  child = spawn(process.execPath, [HEARTH, "serve", "--port", "0", "--data", folder], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, HEARTH_LOG: "on" },
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  await expect.poll(() => printed, { timeout: 30_000 }).toMatch(/listening on http:\S+/);
  return present(/listening on (http:\S+)/.exec(printed)?.[1], "the address");
};

const stopServe = async (): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
};

beforeEach(() => {
  printed = "";
  folder = mkdtempSync(join(tmpdir(), "hearth-secrets-"));
});
afterEach(async () => {
  await stopServe();
  rmSync(folder, { recursive: true });
});

/**
 * Everything but the keys themselves. Deleted records leave their bytes in the file, so it also
 * shows messages and blobs.
 */
const storedBytes = (): Buffer =>
  Buffer.concat(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== KEYS_FILE)
      .map((entry) => readFileSync(join(folder, entry.name))),
  );

const metadataUrlOf = async (url: string): Promise<string> => {
  const read = async () => {
    const { body } = await send(url, "GET", "/v1/demo/stacks/app");
    return at(body, "stack", "outputs", 0, "output_value", "request", "metadata_url");
  };
  await expect.poll(read, { timeout: 20_000 }).toMatch(/^http/);
  return String(await read());
};

const siteOf = async (url: string): Promise<SoftwareSite> => {
  const metadataUrl = await metadataUrlOf(url);
  await expect.poll(() => readSite(metadataUrl), { timeout: 20_000 }).not.toBeNull();
  return present(await readSite(metadataUrl), "the deployment");
};

const sigOf = (url: string): string => new URL(url).searchParams.get("sig") ?? "";

describe("a host", () => {
  it("S25: writes no secret to its log, and to its disk only sealed ones", async () => {
    const url = await startServe();
    const word = "planted-hidden-parameter";
    const body = { stack_name: "app", template: SOFTWARE_TEMPLATE, parameters: { word } };
    await send(url, "POST", "/v1/demo/stacks", body);
    const site = await siteOf(url);

    const forged = withQuery(site.signalUrl, "sig", "planted-forged-signature");
    const escaped = site.signalUrl.replace("?", "%3F");
    const polled = site.metadataUrl.replace("?", "%3F");
    const put = (to: string, text: string) =>
      attempt({ name: "", url: to, method: "PUT", body: text, status: 0, kind: "" });
    expect(await put(forged, '{"deploy_stdout":"planted-refused-body"}')).toBe(403);
    expect(await put(escaped, "{}")).toBe(403);
    expect((await fetch(polled)).status).toBe(403);
    expect(await put(site.signalUrl, "planted-no-json")).toBe(400);
    expect(await put(`${url}/v1/demo/stacks/x/y`, "{planted-no-json")).toBe(400);
    const result = { result: "planted-output", deploy_stdout: "planted-stdout" };
    expect(await put(site.signalUrl, JSON.stringify(result))).toBe(200);
    expect(await waitForStack(url, "app")).toBe("CREATE_COMPLETE");
    expect(await put(site.signalUrl, '{"result":"planted-second"}')).toBe(200);
    await stopServe();

    expect(printed).toContain("received a signal");
    expect(printed).toContain("refused a poll");
    expect(printed).toContain("handled a message");
    const stored = storedBytes();
    expect(stored.includes("bad_signature")).toBe(true);
    expect(stored.includes(site.serverId)).toBe(true);
    for (const secret of ["planted-", sigOf(site.signalUrl), sigOf(site.metadataUrl), "sig="]) {
      expect(printed).not.toContain(secret);
      expect(stored.includes(secret), secret).toBe(false);
    }
  });
});
