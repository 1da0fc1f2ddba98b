/**
 * A data folder that an earlier version wrote (test/contract/former-records/folder.json, taken at
 * commit d6a9434). The host of this version starts on it and goes on with its stacks.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { present } from "#lib/errors.ts";
import { FolderDocument, writeFolder } from "../../upgrade/folder-document.ts";
import { at, newestEvent, send, waitForStack } from "./host-client.ts";

const FORMER = new URL("../../contract/former-records/folder.json", import.meta.url);
/** Every lease and deadline in the folder has passed. */
const SWEEP_MS = 200;

let folder = "";
let host: Host | null = null;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "hearth-former-"));
  writeFolder(folder, FolderDocument.parse(JSON.parse(readFileSync(FORMER, "utf8"))));
  host = await startHost({ port: 0, data: folder, sweepMs: SWEEP_MS });
});
afterAll(async () => {
  await host?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const url = (): string => present(host, "the host").url;
const stack = async (name: string) =>
  at((await send(url(), "GET", `/v1/demo/stacks/${name}`)).body, "stack");

const template = (value: string) => ({
  heat_template_version: "2016-10-14",
  resources: {
    one: { type: "OS::Heat::TestResource", properties: { value } },
    two: { type: "OS::Heat::TestResource", properties: { value }, depends_on: ["one"] },
  },
});

describe("a folder of an earlier version", () => {
  it("shows its stacks, with values that only its keys open, and their events", async () => {
    const settled = await stack("settled");
    expect(at(settled, "stack_status")).toBe("CREATE_COMPLETE");
    expect(at(settled, "outputs", 0, "output_value")).toBe("b");
    const { body } = await send(url(), "GET", "/v1/demo/stacks/settled/events");
    expect(at(body, "events", 0, "resource_status")).toBeDefined();
    expect((await send(url(), "GET", "/v1/demo/stacks/gone")).status).toBe(404);
  });

  it("gives its running operation the time that was left, since no host ran meanwhile", async () => {
    expect(at(await stack("waiting"), "stack_status")).toBe("CREATE_IN_PROGRESS");
  });

  it("lets its stacks be updated, and all of them be deleted", async () => {
    const before = await newestEvent(url(), "settled");
    const body = { template: template("c") };
    expect((await send(url(), "PUT", "/v1/demo/stacks/settled", body)).status).toBe(202);
    expect(await waitForStack(url(), "settled", before)).toBe("UPDATE_COMPLETE");
    for (const name of ["settled", "waiting"]) {
      expect((await send(url(), "DELETE", `/v1/demo/stacks/${name}`)).status).toBe(204);
      await expect
        .poll(async () => (await send(url(), "GET", `/v1/demo/stacks/${name}`)).status, {
          timeout: 20_000,
        })
        .toBe(404);
    }
  });
});
