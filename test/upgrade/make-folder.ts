/**
 * `node test/upgrade/make-folder.ts VERSION` writes test/upgrade/folders/VERSION.json: the data
 * folder that this version of Hearth leaves when it is killed at work, and its answers so far. Run
 * it at each release. test/integration/host/upgrade.test.ts starts every later version on it. The
 * version's agent goes to test/upgrade/agents, for test/integration/host/older-agent.test.ts.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Json, JsonObject } from "#lib/json.ts";
import { ROOT } from "../../tools/packaging/bundle.ts";
import { OLDEST_NODE } from "../../tools/packaging/oldest-node.ts";
import { startHost } from "../crash/host-process.ts";
import { at, send, waitForStack } from "../integration/host/host-client.ts";
import { readFolder, textOfDocument } from "./folder-document.ts";
import {
  playAgents,
  readEvents,
  readOutput,
  readSignalUrls,
  readStack,
  until,
  waitForStatus,
} from "./look.ts";
import {
  handle,
  kept,
  MIDDLE_LINK,
  NESTED_FILES,
  nested,
  rolling,
  running,
  SECRET,
  SIGNALS,
  waiting,
} from "./templates.ts";

const TIMEOUT_MINS = 120;
/** These stacks are at rest, so their documents must not change. */
const AT_REST = ["kept", "nested"] as const;

const create = async (
  url: string,
  name: string,
  template: JsonObject,
  more: JsonObject = {},
): Promise<void> => {
  const body = { stack_name: name, template, timeout_mins: TIMEOUT_MINS, ...more };
  const { status } = await send(url, "POST", "/v1/demo/stacks", body);
  if (status !== 201) throw new Error(`${name} was refused with ${status}`);
};

const update = (url: string, name: string, template: JsonObject) =>
  send(url, "PUT", `/v1/demo/stacks/${name}`, { template, timeout_mins: TIMEOUT_MINS });

const output = async (url: string, name: string, key: string): Promise<string> =>
  until(`${name}'s ${key}`, async () => {
    const value: Json = await readOutput(url, name, key);
    return typeof value === "string" && value.includes("sig=") ? value : null;
  });

const makeRestingStacks = async (url: string): Promise<void> => {
  await create(url, "kept", kept("first"), { parameters: { secret: SECRET }, tags: "a,b" });
  await create(url, "nested", nested("below"), { files: NESTED_FILES });
  await create(url, "gone", kept("gone"), { parameters: { secret: SECRET } });
  for (const name of [...AT_REST, "gone"]) await waitForStack(url, name);
  const snapshots = `/v1/demo/stacks/kept/${at(await readStack(url, "kept"), "id")}/snapshots`;
  await send(url, "POST", snapshots, { name: "before" });
  await until("the snapshot", async () => {
    const { body } = await send(url, "GET", snapshots);
    return at(body, "snapshots", 0, "status") === "COMPLETE" ? true : null;
  });
  await waitForStatus(url, "kept", "SNAPSHOT_COMPLETE");
  await send(url, "DELETE", "/v1/demo/stacks/gone");
  await until("gone is deleted", async () =>
    (await send(url, "GET", "/v1/demo/stacks/gone")).status === 404 ? true : null,
  );
};

const makeWaitingStacks = async (url: string) => {
  await create(url, "waiting", waiting, { parameters: { word: SECRET } });
  await create(url, "handle", handle);
  const handleUrl = await output(url, "handle", "url");
  for (let data = 1; data < SIGNALS; data += 1) await send("", "POST", handleUrl, { data });
  const metadataUrl = await until("the agent's URL", async () => {
    const agent = await readOutput(url, "waiting", "agent");
    const found = at(agent, "request", "metadata_url");
    return typeof found === "string" ? found : null;
  });
  const signalUrl = await until("the deployment", async () => {
    const [first] = (await readSignalUrls(metadataUrl)).values();
    return first ?? null;
  });
  return { handleUrl, metadataUrl, signalUrl };
};

const makeRollingGroup = async (url: string): Promise<readonly string[]> => {
  await create(url, "rolling", rolling("1"));
  const names = ["first", "second", "third"];
  const urls = await Promise.all(names.map((name) => output(url, "rolling", name)));
  await playAgents(
    urls,
    async () => at(await readStack(url, "rolling"), "stack_status") === "CREATE_COMPLETE",
  );
  return urls;
};

const startUpdates = async (url: string, servers: readonly string[]): Promise<void> => {
  await create(url, "running", running("one"));
  await waitForStack(url, "running");
  const known = await Promise.all(servers.map((server) => readSignalUrls(server)));
  await update(url, "rolling", rolling("2"));
  await until("the first batch", async () => {
    const now = await Promise.all(servers.map((server) => readSignalUrls(server)));
    const isNew = now.some((urls, index) => [...urls.keys()].some((id) => !known[index]?.has(id)));
    return isNew ? true : null;
  });
  await update(url, "running", running("two"));
  const path = `/v1/demo/stacks/running/${at(await readStack(url, "running"), "id")}`;
  await until("the middle of the chain", async () => {
    const { body } = await send(url, "GET", `${path}/resources/${MIDDLE_LINK}`);
    return at(body, "resource", "resource_status") === "UPDATE_IN_PROGRESS" ? true : null;
  });
};

const make = async (folder: string) => {
  const host = startHost(folder);
  const url = await host.ready();
  await makeRestingStacks(url);
  const waits = await makeWaitingStacks(url);
  const servers = await makeRollingGroup(url);
  const stacks = await Promise.all(AT_REST.map(async (name) => [name, await readStack(url, name)]));
  const events = await Promise.all(
    AT_REST.map(async (name) => [name, await readEvents(url, name)]),
  );
  await startUpdates(url, servers);
  host.kill();
  await host.stop();
  return {
    takenAt: Date.now(),
    answered: {
      stacks: Object.fromEntries(stacks),
      events: Object.fromEntries(events),
      urls: { ...waits, servers },
    },
    ...readFolder(join(folder, "data")),
  };
};

/** Bundles the agent into one file, because later versions do not have its sources. */
const makeAgent = async (path: string): Promise<void> => {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ["apps/agent/hearth-agent.ts"],
    bundle: true,
    platform: "node",
    format: "esm",
    target: OLDEST_NODE,
    write: false,
  });
  const [{ text } = { text: "" }] = outputFiles;
  writeFileSync(path, text);
};

const version = process.argv[2];
if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version)) {
  throw new Error("usage: node test/upgrade/make-folder.ts VERSION, for example 0.1.0");
}
const folder = mkdtempSync(join(tmpdir(), "hearth-make-folder-"));
try {
  const text = textOfDocument(await make(folder));
  writeFileSync(new URL(`folders/${version}.json`, import.meta.url), text);
  await makeAgent(fileURLToPath(new URL(`agents/${version}`, import.meta.url)));
  console.log(`test/upgrade/folders/${version}.json: ${Buffer.byteLength(text)} bytes`);
} finally {
  rmSync(folder, { recursive: true });
}
