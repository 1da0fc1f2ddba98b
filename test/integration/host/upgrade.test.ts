/**
 * The data folders that former versions left when they were killed at work (test/upgrade/folders,
 * made by test/upgrade/make-folder.ts). This version starts on each, with the clock of that time,
 * and goes on where the former version died.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { present } from "#lib/errors.ts";
import type { Json } from "#lib/json.ts";
import { type RestartedHost, startHost } from "../../crash/host-process.ts";
import { FolderDocument, writeFolder } from "../../upgrade/folder-document.ts";
import {
  movedTo,
  playAgents,
  readEvents,
  readOutput,
  readSignalUrls,
  readStack,
  signalDone,
  until,
  waitForStatus,
} from "../../upgrade/look.ts";
import { kept, rolling, SECRET, SIGNALS } from "../../upgrade/templates.ts";
import { at, newestEvent, send, waitForStack } from "./host-client.ts";

const FOLDERS = new URL("../../upgrade/folders/", import.meta.url);
const CLOCK = new URL("../../agents/clock-ahead.ts", import.meta.url);
const VERSIONS = readdirSync(FOLDERS).map((name) => name.replace(/\.json$/, ""));

const json: z.ZodType<Json> = z.json();
const Former = FolderDocument.extend({
  takenAt: z.number(),
  answered: z.object({
    stacks: z.record(z.string(), json),
    events: z.record(z.string(), z.array(z.string())),
    urls: z.object({
      handleUrl: z.string(),
      metadataUrl: z.string(),
      signalUrl: z.string(),
      servers: z.array(z.string()),
    }),
  }),
});

it("is tried on a folder of a former version", () => {
  expect(VERSIONS).toContain("0.1.0");
});

describe.each(VERSIONS)("a data folder of Hearth %s", (version) => {
  const former = Former.parse(
    JSON.parse(readFileSync(new URL(`${version}.json`, FOLDERS), "utf8")),
  );
  const { answered } = former;
  let folder = "";
  let host: RestartedHost | null = null;
  let url = "";

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "hearth-upgrade-"));
    mkdirSync(join(folder, "data"), { mode: 0o700 });
    writeFolder(join(folder, "data"), former);
    const clock = join(folder, "clock");
    writeFileSync(clock, String(former.takenAt - Date.now()));
    host = startHost(folder, {
      NODE_OPTIONS: `--import=${CLOCK.href}`,
      HEARTH_TEST_CLOCK: clock,
      HEARTH_LOG: "silent",
    });
    url = await host.ready();
  });
  afterAll(async () => {
    expect(await present(host, "the host").stop()).toBe(0);
    rmSync(folder, { recursive: true });
  });

  it("shows the stacks at rest as its writer did, with values that only its keys open", async () => {
    for (const [name, stack] of Object.entries(answered.stacks)) {
      expect(await readStack(url, name), name).toMatchObject(z.looseObject({}).parse(stack));
      expect(await readEvents(url, name), name).toEqual(answered.events[name]);
    }
    expect(await readOutput(url, "kept", "secret")).toBe(SECRET);
    const deleted = await send(url, "GET", "/v1/demo/stacks?show_deleted=true&name=gone");
    expect(at(deleted.body, "stacks", 0, "stack_status")).toBe("DELETE_COMPLETE");
  });

  it("ends the update that its writer was killed in", async () => {
    expect(await waitForStatus(url, "running", "UPDATE_COMPLETE")).toBe(true);
    expect(await readOutput(url, "running", "last")).toBe("two");
  });

  it("takes the signals of the URLs that its writer signed", async () => {
    const { metadataUrl, signalUrl, handleUrl } = answered.urls;
    const polled = await readSignalUrls(movedTo(url, metadataUrl));
    expect([...polled.values()].map((one) => new URL(one).pathname)).toEqual([
      new URL(signalUrl).pathname,
    ]);
    expect(await signalDone(movedTo(url, signalUrl))).toBe(200);
    expect(await waitForStatus(url, "waiting", "CREATE_COMPLETE")).toBe(true);
    await send("", "POST", movedTo(url, handleUrl), { data: SIGNALS });
    expect(await waitForStatus(url, "handle", "CREATE_COMPLETE")).toBe(true);
    const data = z.record(z.string(), z.number());
    const signals = data.parse(JSON.parse(String(await readOutput(url, "handle", "data"))));
    expect(Object.values(signals).toSorted()).toEqual([1, 2, SIGNALS]);
  });

  it("rolls its group on from the batch that was at work", async () => {
    const servers = answered.urls.servers.map((server) => movedTo(url, server));
    await playAgents(
      servers,
      async () => at(await readStack(url, "rolling"), "stack_status") === "UPDATE_COMPLETE",
    );
    expect(at(await readStack(url, "rolling"), "stack_status")).toBe("UPDATE_COMPLETE");
  });

  it("restores its snapshot, updates and deletes its stacks", async () => {
    const path = `/v1/demo/stacks/kept/${at(answered.stacks["kept"], "id")}`;
    const before = await newestEvent(url, "kept");
    const body = { template: kept("second"), parameters: { secret: SECRET } };
    expect((await send(url, "PUT", path, body)).status).toBe(202);
    expect(await waitForStack(url, "kept", before)).toBe("UPDATE_COMPLETE");
    expect(await readOutput(url, "kept", "two")).toBe("second");
    const list = await send(url, "GET", `${path}/snapshots`);
    const snapshot = String(at(list.body, "snapshots", 0, "id"));
    expect((await send(url, "POST", `${path}/snapshots/${snapshot}/restore`)).status).toBe(202);
    await waitForStatus(url, "kept", "RESTORE_COMPLETE");
    expect(await readOutput(url, "kept", "two")).toBe("first");
    for (const name of ["kept", "nested", "waiting", "handle", "running"]) {
      expect((await send(url, "DELETE", `/v1/demo/stacks/${name}`)).status, name).toBe(204);
    }
    await until("all are deleted", async () => {
      const listed = await send(url, "GET", "/v1/demo/stacks");
      const left = z.array(json).parse(at(listed.body, "stacks"));
      return left.every((stack) => at(stack, "stack_name") === "rolling") ? true : null;
    });
    expect(at(await readStack(url, "rolling"), "stack_status")).toBe("UPDATE_COMPLETE");
  });

  it("updates its group and deletes it, each member with its server's word", async () => {
    const servers = answered.urls.servers.map((server) => movedTo(url, server));
    const before = await newestEvent(url, "rolling");
    await send(url, "PUT", "/v1/demo/stacks/rolling", { template: rolling("3") });
    const states = async () => String(at(await readStack(url, "rolling"), "stack_status"));
    await until("the update begins", async () =>
      (await newestEvent(url, "rolling")) === before ? null : true,
    );
    await playAgents(servers, async () => (await states()) === "UPDATE_COMPLETE");
    expect((await send(url, "DELETE", "/v1/demo/stacks/rolling")).status).toBe(204);
    await playAgents(
      servers,
      async () => (await send(url, "GET", "/v1/demo/stacks/rolling")).status === 404,
    );
    expect((await send(url, "GET", "/v1/demo/stacks/rolling")).status).toBe(404);
  });
});
