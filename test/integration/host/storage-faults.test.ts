import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { logger } from "#functions/logger.ts";
import { type Host, startHost } from "#host/host.ts";
import { LEASE_MS } from "#lib/convergence/limits.ts";
import type { JsonObject } from "#lib/json.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { hearth } from "../cli/hearth-process.ts";
import { at, type HttpAnswer, newestEvent, send, waitForStack } from "./host-client.ts";

const LOOK_MS = 20;
const PATIENT = { timeout: 20_000 };
const template = (value: string) => ({
  heat_template_version: "2016-10-14",
  resources: {
    a: { type: "OS::Heat::TestResource", properties: { value, wait_secs: 0.1 } },
    b: { type: "OS::Heat::TestResource", properties: { value }, depends_on: "a" },
  },
});
const CREATE = { stack_name: "app", template: template("1") };
/** The wait is too long for a lease to be kept (P26). */
const SLOW = {
  heat_template_version: "2016-10-14",
  resources: {
    a: { type: "OS::Heat::TestResource", properties: { value: "1", wait_secs: 6 } },
  },
};
const LEAVE_LEASE = `UPDATE resources SET body = json_set(body, '$.version', 1000,
  '$.nextPollAt', ?, '$.lease', json_object('token', 'of-a-visit-that-failed', 'expiresAt', ?))`;

let parent: string;
let folder: string;
let host: Host;
const told: string[] = [];
beforeEach(async () => {
  parent = freshFolder();
  folder = join(parent, "data");
  told.length = 0;
  const tell = (message: string): void => {
    if (message.startsWith("the storage")) told.push(message);
  };
  vi.spyOn(logger, "error").mockImplementation(tell);
  vi.spyOn(logger, "info").mockImplementation(tell);
  host = await startHost({ port: 0, data: folder, storageLookMs: LOOK_MS });
});
afterEach(async () => {
  await host.stop();
  vi.restoreAllMocks();
  removeFolder(parent);
});

const ask = (method: string, path: string, body?: JsonObject): Promise<HttpAnswer> =>
  send(host.url, method, `/v1/demo/${path}`, body);
const waitsForPoll = async (): Promise<boolean> => {
  const { body } = await send(host.url, "GET", "/_dev/rows?stack_name=app");
  const isInProgress = at(body, "rows", 0, "status") === "IN_PROGRESS";
  return isInProgress && at(body, "rows", 0, "locked_by") === null;
};
const storageProblem = async (): Promise<unknown> =>
  at((await ask("GET", "_health")).body, "health", "problems", 0, "found");
const expectOutOfService = async (found: string): Promise<void> => {
  await expect.poll(async () => (await ask("GET", "stacks")).status, PATIENT).toBe(503);
  const refused = await ask("POST", "stacks", { ...CREATE, stack_name: "other" });
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect((await send(host.url, "GET", "/_dev/rows")).status).toBe(503);
  expect((await send(host.url, "POST", "/v1/agent/signal/x")).status).toBe(503);
  expect(await storageProblem()).toContain(found);
};
const expectInService = async (): Promise<void> => {
  await expect.poll(async () => (await ask("GET", "stacks")).status, PATIENT).toBe(200);
  await expect.poll(() => told.at(-1), PATIENT).toBe("the storage is well again");
  expect(told).toEqual(["the storage has failed", "the storage is well again"]);
  expect(await storageProblem()).toBeUndefined();
};

describe("a database that another process locks", () => {
  it("is waited for: requests get 503 meanwhile, and stacks go on afterwards", async () => {
    expect((await ask("POST", "stacks", CREATE)).status).toBe(201);
    const other = new DatabaseSync(join(folder, "hearth.db"));
    other.exec("BEGIN IMMEDIATE");
    await expectOutOfService("hearth.db cannot be used: another process has locked it");
    const { code, stdout } = await hearth(host.url, "doctor");
    expect(code).toBe(1);
    expect(stdout).toMatch(/wrong +storage .*another process has locked it/);
    other.exec("ROLLBACK");
    other.close();
    await expectInService();
    expect(await waitForStack(host.url, "app")).toBe("CREATE_COMPLETE");
    expect((await ask("GET", "stacks/other")).status).toBe(404);
  });

  it("keeps no row held for a visit that failed", async () => {
    expect((await ask("POST", "stacks", { ...CREATE, template: SLOW })).status).toBe(201);
    await expect.poll(waitsForPoll, PATIENT).toBe(true);
    const other = new DatabaseSync(join(folder, "hearth.db"));
    other.exec("BEGIN IMMEDIATE");
    const expiry = Date.now() + LEASE_MS;
    other.prepare(LEAVE_LEASE).run(expiry, expiry);
    await expectOutOfService("hearth.db cannot be used: another process has locked it");
    other.exec("COMMIT");
    other.close();
    await expectInService();
    expect(await waitForStack(host.url, "app")).toBe("CREATE_COMPLETE");
  });
});

describe("a provider's file that another process locks", () => {
  it("keeps its operations waiting, and fails none", async () => {
    expect((await ask("POST", "stacks", CREATE)).status).toBe(201);
    expect(await waitForStack(host.url, "app")).toBe("CREATE_COMPLETE");
    const marker = await newestEvent(host.url, "app");
    const other = new DatabaseSync(join(folder, "cloud.db"));
    other.exec("BEGIN IMMEDIATE");
    expect((await ask("PUT", "stacks/app", { ...CREATE, template: template("2") })).status).toBe(
      202,
    );
    await expectOutOfService("cloud.db cannot be used: another process has locked it");
    other.exec("ROLLBACK");
    other.close();
    await expectInService();
    expect(await waitForStack(host.url, "app", marker)).toBe("UPDATE_COMPLETE");
  });
});

describe("a data folder that vanishes", () => {
  it("is noticed, and the host goes on when the folder is back", async () => {
    expect((await ask("POST", "stacks", CREATE)).status).toBe(201);
    const away = join(parent, "away");
    renameSync(folder, away);
    await expectOutOfService("hearth.db has vanished");
    renameSync(away, folder);
    await expectInService();
    expect(await waitForStack(host.url, "app")).toBe("CREATE_COMPLETE");
  });

  it("is not written any more when it was deleted", async () => {
    rmSync(folder, { recursive: true });
    await expectOutOfService("hearth.db has vanished");
    await expect.poll(() => told).toEqual(["the storage has failed"]);
  });

  it("is not taken for another one in its place", async () => {
    const away = join(parent, "away");
    renameSync(join(folder, "hearth.db"), away);
    new DatabaseSync(join(folder, "hearth.db")).close();
    await expectOutOfService("hearth.db was replaced by another file");
  });
});
