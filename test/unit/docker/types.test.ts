import { createPublicKey } from "node:crypto";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject, ProvidedType } from "#provider/provider.ts";
import { backEndOf } from "#providers/docker/back-end.ts";
import { type Engine, openEngine } from "#providers/docker/engine/client.ts";
import { cinderVolume } from "#providers/docker/types/cinder-volume.ts";
import { net } from "#providers/docker/types/net.ts";
import { server } from "#providers/docker/types/server.ts";
import { idOf } from "#providers/object-names.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { callOf } from "../../contract/provider-call.ts";
import { make, unmake } from "../../contract/spoilt-operations.ts";
import { type EngineDouble, startEngineDouble } from "../../docker/engine-double.ts";
import { BARE_IMAGE, IMAGE, typeAt } from "../../docker/provider-play.ts";

let folder: string;
let engine: EngineDouble;
beforeEach(async () => {
  folder = freshFolder();
  engine = await startEngineDouble(join(folder, "engine.sock"), "podman");
  engine.state.images.set(IMAGE, ["/bin/sh", "/usr/local/bin/node"]);
  engine.state.images.set(BARE_IMAGE, ["/bin/sh"]);
});
afterEach(async () => {
  await engine.stop();
  removeFolder(folder);
});

const made = (type: string, token: string, properties: JsonObject, more: object = {}) =>
  make(typeAt(engine.socketPath, type), callOf(token, { properties, ...more }));
const SERVER = "OS::Nova::Server";
const given: JsonObject = { image: IMAGE, flavor: "m1.nano" };
const SETTINGS = { agentProgram: async (): Promise<string> => "", defaultNetwork: null };
const backEnd = (defaultNetwork: string | null = null) =>
  backEndOf(openEngine({ socketPath: engine.socketPath }), { ...SETTINGS, defaultNetwork });
const nameFor = (token: string): string => `hearth-server-${idOf(token)}`;

describe("an engine that is away", () => {
  const calls: readonly [string, JsonObject][] = [
    ["OS::Nova::Server", given],
    ["OS::Neutron::Net", { name: "front" }],
    ["OS::Neutron::Subnet", { network: "front", cidr: "10.1.0.0/24" }],
    ["OS::Cinder::Volume", { size: 1 }],
  ];
  it.each(calls)("lets each call of %s come again, also a search", async (name, properties) => {
    const type = typeAt(join(folder, "nobody.sock"), name);
    const call = { ...callOf("away", { properties }), physicalId: idOf("away") };
    const asked = [type.create(call), type.delete(call), type.check?.(call)];
    for (const answer of [...asked, ...(type.find ? [type.find(call)] : [])]) {
      expect(await answer).toMatchObject({ state: "throttled" });
    }
  });
});

describe("an answer of the engine that cannot be read", () => {
  it.each([
    ["OS::Neutron::Net", {}],
    ["OS::Cinder::Volume", { size: 1 }],
  ])("leaves the id of what was made to a delete: %s", async (name, properties) => {
    const whole = openEngine({ socketPath: engine.socketPath });
    const page: Engine = {
      ask: async (call) => ({ ...(await whole.ask(call)), text: "<html>welcome</html>" }),
    };
    const types: Readonly<Record<string, ProvidedType>> = {
      "OS::Neutron::Net": net(backEndOf(page, SETTINGS)),
      "OS::Cinder::Volume": cinderVolume(backEndOf(page, SETTINGS)),
    };
    const call = callOf("page", { properties });
    const answer = await types[name]?.create(call);
    expect(answer).toMatchObject({ state: "failed", physicalId: idOf("page") });
    expect(engine.state.volumes.size).toBe(1);
    await unmake(typeAt(engine.socketPath, name), call, idOf("page"));
    expect(engine.state.volumes.size).toBe(0);
  });
});

describe("a server", () => {
  it("is made where Podman's storage has its name and the database has not", async () => {
    engine.state.heldNames.add(nameFor("held"));
    expect(await made(SERVER, "held", given)).toMatchObject({ state: "finished" });
    expect([...engine.state.containers.keys()]).toEqual([nameFor("held")]);
  });

  it("is made where Podman has removed half of one, and such a half is removed", async () => {
    engine.state.halfRemoved.add(nameFor("half"));
    expect(await made(SERVER, "half", given)).toMatchObject({ state: "finished" });
    expect([...engine.state.containers.keys()]).toEqual([nameFor("half")]);
    engine.state.containers.delete(nameFor("half"));
    engine.state.halfRemoved.add(nameFor("half"));
    const type = typeAt(engine.socketPath, SERVER);
    const call = callOf("half", { properties: given });
    expect(await unmake(type, call, idOf("half"))).toEqual({ state: "finished" });
    expect([...engine.state.halfRemoved]).toEqual([]);
  });

  it("waits for another call that has its name and is still making it", async () => {
    engine.state.takenNames.add(nameFor("slow"));
    const server = made(SERVER, "slow", given);
    setTimeout(() => engine.state.takenNames.delete(nameFor("slow")), 100);
    expect(await server).toMatchObject({ state: "finished" });
    expect(engine.state.containers.size).toBe(1);
  });

  it.each(["created", "exited"] as const)(
    "is made again where the runtime has it from an earlier start, and the engine calls it %s",
    async (status) => {
      engine.state.unstartable.set(nameFor("stuck"), status);
      expect(await made(SERVER, "stuck", given)).toMatchObject({ state: "finished" });
      expect(engine.state.containers.get(nameFor("stuck"))?.status).toBe("running");
      expect(engine.state.containers.size).toBe(1);
    },
  );

  it("leaves a container of the same name that is not its own", async () => {
    await made(SERVER, "mine", given);
    const container = engine.state.containers.get(nameFor("mine"));
    engine.state.containers.set(nameFor("other"), {
      ...container,
      id: "id-other",
      name: nameFor("other"),
      image: IMAGE,
      labels: {},
      created: new Date().toISOString(),
      status: "running",
      limits: {},
      volumes: [],
      addresses: new Map(),
      asked: new Map(),
      files: new Map(),
    });
    expect(await made(SERVER, "other", given)).toMatchObject({
      state: "failed",
      reason: `Docker: the name ${nameFor("other")} is another container's`,
    });
    expect(engine.state.containers.get(nameFor("other"))?.id).toBe("id-other");
  });

  it("waits for its image, and fails if it cannot be had", async () => {
    const image = "registry.test/app";
    expect(await made(SERVER, "pulled", { ...given, image })).toMatchObject({ state: "finished" });
    expect(await made(SERVER, "none", { ...given, image: "nonesuch" })).toMatchObject({
      state: "failed",
      reason: "The Image (nonesuch) could not be had: pull access denied for nonesuch:latest",
    });
    expect(engine.state.pulled).toEqual([`${image}:latest`, "nonesuch:latest"]);
  });

  it("joins the host's default network if its template names none", async () => {
    await made("OS::Neutron::Net", "net", { name: "private" });
    await made("OS::Neutron::Subnet", "sub", { network: "private", cidr: "10.3.0.0/24" });
    const call = callOf("placed", { properties: given });
    expect(await make(server(backEnd("private")), call)).toMatchObject({
      state: "finished",
      attributes: { networks: { private: ["10.3.0.2"] } },
    });
    const lost = callOf("lost", { properties: given });
    expect(await make(server(backEnd("nonesuch")), lost)).toMatchObject({
      reason: "The Network (nonesuch) could not be found.",
    });
  });

  it.each<[string, JsonObject, string]>([
    ["cloud-init", { user_data: "#cloud-config\n{}\n" }, "has no cloud-init"],
    ["node", { hearth_boot: { metadata_url: "http://a/" } }, "has neither node nor"],
  ])("fails where its image lacks %s", async (_, more, reason) => {
    const answer = await made(SERVER, "bare", { ...given, image: BARE_IMAGE, ...more });
    expect(answer).toMatchObject({ state: "failed", reason: expect.stringContaining(reason) });
    const call = callOf("bare");
    const type = typeAt(engine.socketPath, SERVER);
    expect(await unmake(type, call, idOf("bare"))).toEqual({ state: "finished" });
    expect(engine.state.containers.size).toBe(0);
  });

  it("waits for the subnet of its net, and joins several networks with its addresses", async () => {
    const net = await made("OS::Neutron::Net", "net", { name: "front" });
    const network = "physicalId" in net ? (net.physicalId ?? "") : "";
    const other = await made("OS::Neutron::Net", "net2", { name: "back" });
    const back = "physicalId" in other ? (other.physicalId ?? "") : "";
    await made("OS::Neutron::Subnet", "sub2", { network: "back", cidr: "10.2.0.0/24" });
    const networks = [{ network, fixed_ip: "10.1.0.9" }, { network: back }];
    const waits = made(SERVER, "joined", { ...given, networks });
    await made("OS::Neutron::Subnet", "sub", { network, cidr: "10.1.0.0/24" });
    expect(await waits).toMatchObject({
      state: "finished",
      attributes: {
        first_address: "10.1.0.9",
        networks: { front: ["10.1.0.9"], [network]: ["10.1.0.9"], back: ["10.2.0.2"] },
      },
    });
  });

  it("shows its address in a net of any name", async () => {
    await made("OS::Neutron::Net", "net", { name: "__proto__" });
    await made("OS::Neutron::Subnet", "sub", { network: "__proto__", cidr: "10.1.0.0/24" });
    const answer = await made(SERVER, "odd", { ...given, networks: [{ network: "__proto__" }] });
    const { networks, addresses } = "attributes" in answer ? (answer.attributes ?? {}) : {};
    expect(Object.keys(networks ?? {})).toEqual(["__proto__", idOf("net")]);
    expect(Object.keys(addresses ?? {})).toEqual(["__proto__", idOf("net")]);
  });

  it.each<[string, JsonObject]>([
    ["The Key (mine) could not be found.", { key_name: "mine" }],
    ["The Network (other) could not be found.", { networks: [{ network: "other" }] }],
    ["The Port (p) could not be found.", { networks: [{ port: "p" }] }],
    ["The Volume (v) could not be found.", { block_device_mapping_v2: [{ volume_id: "v" }] }],
  ])("fails with the words: %s", async (reason, more) => {
    expect(await made(SERVER, "lacks", { ...given, ...more })).toMatchObject({ reason });
  });

  it("finds nothing of another project", async () => {
    await made("OS::Nova::KeyPair", "key", { name: "mine", public_key: "ssh-rsa A" });
    const answer = await made(SERVER, "a", { ...given, key_name: "mine" }, { tenant: "other" });
    expect(answer).toMatchObject({ reason: "The Key (mine) could not be found." });
  });

  it("is replaced where Podman cannot change its limits", async () => {
    await made(SERVER, "sized", given);
    const type = typeAt(engine.socketPath, SERVER);
    const call = callOf("sized/2", { properties: { ...given, flavor: "m1.tiny" } });
    const update = { ...call, previousProperties: given, physicalId: idOf("sized") };
    expect(await type.update?.(update)).toEqual({ state: "replace" });
  });
});

describe("a key pair", () => {
  it("is generated as OpenSSH reads it, and its private key fits", async () => {
    const answer = await made("OS::Nova::KeyPair", "k", { name: "mine", save_private_key: true });
    const { public_key: line = "", private_key: pem = "" } =
      answer.state === "finished" ? (answer.attributes ?? {}) : {};
    const { n = "" } = createPublicKey(String(pem)).export({ format: "jwk" });
    const [kind, body = "", name] = String(line).split(" ");
    expect([kind, name]).toEqual(["ssh-rsa", "mine"]);
    expect(Buffer.from(body, "base64").includes(Buffer.from(n, "base64url"))).toBe(true);
    expect([...engine.state.volumes.values()].map(String).join()).not.toContain("PRIVATE");
  });

  it("has a name that the project has once", async () => {
    await made("OS::Nova::KeyPair", "k1", { name: "mine", public_key: "ssh-rsa A" });
    expect(await made("OS::Nova::KeyPair", "k2", { name: "mine" })).toMatchObject({
      state: "failed",
      reason: "Key pair 'mine' already exists.",
    });
    const other = { tenant: "other" };
    expect(await made("OS::Nova::KeyPair", "k3", { name: "mine" }, other)).toMatchObject({
      state: "finished",
    });
  });
});

describe("a network", () => {
  it("has one subnet, and goes with the last server that runs in it", async () => {
    await made("OS::Neutron::Net", "net", { name: "front" });
    const subnet = { network: "front", cidr: "10.1.0.0/24" };
    await made("OS::Neutron::Subnet", "sub", subnet);
    expect(
      await made("OS::Neutron::Subnet", "sub2", { network: "front", cidr: "10.2.0.0/24" }),
    ).toMatchObject({ state: "failed", reason: expect.stringContaining("has a subnet already") });
    await made(SERVER, "in", { ...given, networks: [{ network: "front" }] });
    const type = typeAt(engine.socketPath, "OS::Neutron::Subnet");
    const call = { ...callOf("sub/delete"), action: "DELETE" as const, physicalId: idOf("sub") };
    expect(await type.delete(call)).toMatchObject({ state: "waiting" });
    await unmake(typeAt(engine.socketPath, SERVER), callOf("in"), idOf("in"));
    expect(await type.delete(call)).toEqual({ state: "finished" });
  });

  it("gives a hundred ports an address each, until none is free", async () => {
    await made("OS::Neutron::Net", "net", {});
    await made("OS::Neutron::Subnet", "range", { network: idOf("net"), cidr: "10.1.0.0/25" });
    const port = (at: number) => made("OS::Neutron::Port", `port-${at}`, { network: idOf("net") });
    const addresses = new Set<string>();
    for (let at = 0; at < 125; at += 1) {
      const answer = await port(at);
      expect(answer).toMatchObject({ state: "finished" });
      addresses.add(JSON.stringify("attributes" in answer && answer.attributes?.["fixed_ips"]));
    }
    expect(addresses.size).toBe(125);
    expect(await port(125)).toMatchObject({
      state: "failed",
      reason: "no address of 10.1.0.0/25 is free",
    });
  });

  it("gives each port an address of its own, from above, and one that is asked for once", async () => {
    await made("OS::Neutron::Net", "net", { name: "front" });
    await made("OS::Neutron::Subnet", "sub", { network: "front", cidr: "10.1.0.0/29" });
    const port = (token: string, fixed?: string) =>
      made("OS::Neutron::Port", token, {
        network: "front",
        ...(fixed === undefined ? {} : { fixed_ips: [{ ip_address: fixed }] }),
      });
    const addressOf = async (token: string) => {
      const answer = await port(token);
      return answer.state === "finished" ? answer.attributes?.["fixed_ips"] : answer;
    };
    const at = (address: string) => [{ subnet_id: idOf("sub"), ip_address: address }];
    expect(await port("first", "10.1.0.6")).toMatchObject({ state: "finished" });
    expect(await addressOf("second")).toEqual(at("10.1.0.5"));
    expect(await port("third", "10.1.0.5")).toMatchObject({ state: "failed" });
    expect(await port("gateway", "10.1.0.1")).toMatchObject({ state: "failed" });
  });
});

describe("another project that names the id of an object", () => {
  const objects: readonly (readonly [string, JsonObject])[] = [
    ["OS::Neutron::Net", { name: "front" }],
    ["OS::Neutron::Subnet", { network: "front", cidr: "10.1.0.0/24" }],
    ["OS::Neutron::Port", { network: "front" }],
    ["OS::Cinder::Volume", { size: 1 }],
    [SERVER, given],
  ];

  it("finds nothing, and removes nothing", async () => {
    for (const [name, properties] of objects) await made(name, name, properties);
    const count = () => {
      const { containers, volumes, networks } = engine.state;
      return [containers.size, volumes.size, networks.size];
    };
    const before = count();
    for (const [name, properties] of objects) {
      const type = typeAt(engine.socketPath, name);
      const foreign = callOf(`${name}/foreign`, { tenant: "other", properties });
      const call = { ...foreign, physicalId: idOf(name), previousProperties: properties };
      expect(await type.check?.({ ...call, action: "CHECK" }), name).toEqual({ state: "gone" });
      expect(await unmake(type, call, idOf(name)), name).toEqual({ state: "finished" });
      expect(await type.check?.({ ...call, tenant: "demo" }), name).toMatchObject({
        state: "finished",
      });
    }
    expect(count()).toEqual(before);
  });

  it("neither stops nor starts nor changes a server", async () => {
    await made(SERVER, "theirs", given);
    const type = server(backEnd());
    const call = { ...callOf("foreign", { tenant: "other" }), physicalId: idOf("theirs") };
    const update = {
      ...call,
      properties: { ...given, flavor: "m1.tiny" },
      previousProperties: given,
    };
    for (const answer of [type.suspend?.(call), type.resume?.(call), type.update?.(update)]) {
      expect(await answer).toEqual({ state: "gone" });
    }
    expect(engine.state.containers.get(nameFor("theirs"))?.status).toBe("running");
  });
});
