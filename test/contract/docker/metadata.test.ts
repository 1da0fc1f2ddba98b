import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { JsonObject } from "#provider/provider.ts";
import { backEndOf } from "#providers/docker/back-end.ts";
import { openEngine } from "#providers/docker/engine/client.ts";
import { listenForMetadata } from "#providers/docker/metadata/metadata-server.ts";
import { idOf } from "#providers/object-names.ts";
import { type EngineDouble, startEngineDouble } from "../../docker/engine-double.ts";
import { IMAGE, typeAt } from "../../docker/provider-play.ts";
import { freshFolder, removeFolder } from "../folders.ts";
import { callOf } from "../provider-call.ts";
import { make } from "../spoilt-operations.ts";

const SERVER = "OS::Nova::Server";
/** The address from which this process asks. */
const ASKING = "127.0.0.1";
const KEY = "ssh-ed25519 AAAA mine";

let folder: string;
let engine: EngineDouble;
let url: string;
let stop: () => void;
beforeEach(async () => {
  folder = freshFolder();
  engine = await startEngineDouble(join(folder, "engine.sock"));
  engine.state.images.set(IMAGE, ["/bin/sh", "/usr/local/bin/node"]);
  const settings = { agentProgram: async () => "", defaultNetwork: null };
  const backEnd = backEndOf(openEngine({ socketPath: engine.socketPath }), settings);
  const listening = await listenForMetadata(backEnd, { address: ASKING, port: 0 });
  url = `http://${ASKING}:${listening.port}`;
  stop = listening.stop;
});
afterEach(async () => {
  stop();
  await engine.stop();
  removeFolder(folder);
});

const createServer = async (token: string, more: JsonObject, address: string): Promise<void> => {
  const properties = { image: IMAGE, flavor: "m1.nano", ...more };
  await make(typeAt(engine.socketPath, SERVER), callOf(token, { properties }));
  engine.state.containers.get(`hearth-server-${idOf(token)}`)?.addresses.set("bridge", address);
};

const ask = async (path: string, options: RequestInit = {}) => {
  const answer = await fetch(`${url}${path}`, options);
  return { status: answer.status, text: await answer.text() };
};

const found = (text: string) => ({ status: 200, text });

it("answers EC2's paths and OpenStack's about the server that asks", async () => {
  const key = callOf("key", { properties: { name: "mine", public_key: KEY } });
  await make(typeAt(engine.socketPath, "OS::Nova::KeyPair"), key);
  const userData = "#!/bin/sh\necho grüße\n";
  const more = { name: "web", key_name: "mine", user_data: userData, metadata: { role: "db" } };
  await createServer("asking", more, ASKING);
  await createServer("other", { name: "other", user_data: "secret" }, "172.17.0.9");
  const id = idOf("asking");
  expect(await ask("/")).toEqual(found("1.0/\n2009-04-04/\nlatest/\nopenstack/"));
  expect(await ask("/latest/meta-data/instance-id")).toEqual(found(id));
  expect(await ask("/2009-04-04/meta-data/local-ipv4")).toEqual(found(ASKING));
  expect(await ask("/latest/meta-data/hostname/")).toEqual(found("web"));
  expect(await ask("/latest/meta-data/public-keys/")).toEqual(found("0=mine"));
  expect(await ask("/latest/meta-data/public-keys/0/openssh-key")).toEqual(found(KEY));
  expect(await ask("/latest/user-data")).toEqual(found(userData));
  expect(await ask("/openstack/latest/user_data")).toEqual(found(userData));
  const { text } = await ask("/openstack/latest/meta_data.json");
  expect(JSON.parse(text)).toEqual({
    uuid: id,
    name: "web",
    hostname: "web",
    project_id: "demo",
    launch_index: 0,
    meta: { role: "db" },
    public_keys: { mine: KEY },
  });
});

it("has no path for what the server has not", async () => {
  await createServer("bare", {}, ASKING);
  expect((await ask("/latest/meta-data/")).text.split("\n")).not.toContain("public-keys/");
  for (const path of ["/latest/user-data", "/openstack/latest/user_data", "/latest/nonesuch"]) {
    expect(await ask(path), path).toEqual({ status: 404, text: "Not found." });
  }
  expect((await ask("/latest/meta-data/instance-id/toString")).status).toBe(404);
  expect((await ask("/latest/__proto__/toString")).status).toBe(404);
});

it("answers nobody else, and no proxy", async () => {
  await createServer("stopped", {}, ASKING);
  const none = { status: 404, text: `No server has the address ${ASKING}.` };
  expect((await ask("/latest/meta-data/instance-id")).status).toBe(200);
  const proxied = await ask("/", { headers: { "x-forwarded-for": "172.17.0.9" } });
  expect(proxied.status).toBe(403);
  expect((await ask("/", { method: "POST" })).status).toBe(405);
  const container = engine.state.containers.get(`hearth-server-${idOf("stopped")}`);
  if (container) container.status = "exited";
  expect(await ask("/latest/meta-data/instance-id")).toEqual(none);
});

it("does not take what a server has written into its own file", async () => {
  await createServer("hostile", {}, ASKING);
  const container = engine.state.containers.get(`hearth-server-${idOf("hostile")}`);
  container?.files.set("/var/lib/hearth/meta-data", "{ not JSON");
  expect((await ask("/latest/meta-data/instance-id")).status).toBe(404);
});

it("says so while the engine does not answer", async () => {
  await engine.stop();
  expect((await ask("/latest/meta-data/instance-id")).status).toBe(503);
});
