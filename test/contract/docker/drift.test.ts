import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import type { Answer, Call, JsonObject } from "#provider/provider.ts";
import { serverName } from "#providers/docker/types/plan-server.ts";
import { type EngineDouble, startEngineDouble } from "../../docker/engine-double.ts";
import { IMAGE, typeAt } from "../../docker/provider-play.ts";
import { freshFolder, removeFolder } from "../folders.ts";
import { callOf } from "../provider-call.ts";

const SERVER = "OS::Nova::Server";
const idOf = (answer: Answer): string =>
  "physicalId" in answer ? (answer.physicalId ?? "") : `no id: ${JSON.stringify(answer)}`;

describe.each(["docker", "podman"] as const)("a server on a double of %s", (kind) => {
  let folder: string;
  let engine: EngineDouble;
  beforeEach(async () => {
    folder = freshFolder();
    engine = await startEngineDouble(join(folder, "engine.sock"), kind);
    engine.state.images.set(IMAGE, ["/bin/sh", "/usr/local/bin/node"]);
  });
  afterEach(async () => {
    await engine.stop();
    removeFolder(folder);
  });

  const make = async (name: string, properties: JsonObject, token = name) =>
    idOf(await typeAt(engine.socketPath, name).create(callOf(token, { properties })));
  const network = async (cidr: string) => {
    const net = await make("OS::Neutron::Net", { name: "front" }, `net ${cidr}`);
    await make("OS::Neutron::Subnet", { network: net, cidr }, `subnet ${cidr}`);
    return net;
  };
  const propertiesIn = (net: string): JsonObject => ({
    image: IMAGE,
    flavor: "1c-64m",
    networks: [{ network: net }],
  });
  const onServer = (action: Call["action"], id: string, properties: JsonObject) => {
    const type = typeAt(engine.socketPath, SERVER);
    const more = { properties, previousProperties: properties, repairs: action === "UPDATE" };
    const call = { ...callOf(`${action} ${id}`, more), action, physicalId: id };
    const members = { CHECK: type.check, UPDATE: type.update, RESUME: type.resume } as const;
    if (action === "DELETE") return type.delete(call);
    return action === "CHECK" || action === "UPDATE" || action === "RESUME"
      ? members[action]?.(call)
      : undefined;
  };
  const containerOf = (id: string) => present(engine.state.containers.get(serverName(id)), id);
  const differs = (reason: string) => ({ state: "failed", health: "differs", reason });

  it("keeps its first address, whichever starts first after a stop", async () => {
    const net = await network("10.87.0.0/24");
    const properties = propertiesIn(net);
    const [one, two] = [await make(SERVER, properties, "1"), await make(SERVER, properties, "2")];
    const seen = () => [one, two].map((id) => [...containerOf(id).addresses.values()]);
    const first = seen();
    expect(first).toEqual([["10.87.0.2"], ["10.87.0.3"]]);
    for (const id of [one, two]) containerOf(id).status = "exited";
    for (const id of [two, one]) {
      const { addresses, asked } = containerOf(id);
      for (const name of addresses.keys()) addresses.set(name, asked.get(name) ?? "");
      expect(await onServer("RESUME", id, properties)).toMatchObject({ state: "finished" });
    }
    expect(seen()).toEqual(first);
  });

  it("gives its address up with its delete", async () => {
    const net = await network("10.87.0.0/24");
    const properties = propertiesIn(net);
    const one = await make(SERVER, properties, "1");
    await onServer("DELETE", one, properties);
    const two = await make(SERVER, properties, "2");
    expect([...containerOf(two).addresses.values()]).toEqual(["10.87.0.2"]);
  });

  it("is told from one that was disconnected, and comes back with its address", async () => {
    const properties = propertiesIn(await network("10.87.0.0/24"));
    const id = await make(SERVER, properties);
    const before = [...containerOf(id).addresses];
    containerOf(id).addresses.clear();
    const [[name = ""] = []] = before;
    const found = await onServer("CHECK", id, properties);
    expect(found).toEqual(differs(`it is not in the network ${name}`));
    expect(await onServer("UPDATE", id, properties)).toMatchObject({ state: "finished" });
    expect([...containerOf(id).addresses]).toEqual(before);
    expect(await onServer("CHECK", id, properties)).toMatchObject({ state: "finished" });
  });

  it("is told from one with another address, and gets its own again", async () => {
    const properties = propertiesIn(await network("10.87.0.0/24"));
    const id = await make(SERVER, properties);
    const [[name = ""] = []] = containerOf(id).addresses;
    containerOf(id).addresses.set(name, "10.87.0.9");
    const reason = `it has another address than 10.87.0.2 in the network ${name}`;
    expect(await onServer("CHECK", id, properties)).toEqual(differs(reason));
    await onServer("UPDATE", id, properties);
    expect([...containerOf(id).addresses.values()]).toEqual(["10.87.0.2"]);
  });

  it("whose network stays away fails soon, and says what to do", async () => {
    const properties = propertiesIn(await network("10.87.0.0/24"));
    const id = await make(SERVER, properties);
    containerOf(id).addresses.clear();
    for (const own of engine.state.networks.keys()) {
      if (own !== "id-bridge") engine.state.networks.delete(own);
    }
    const reason = 'its network front is gone; "hearth stack repair app" makes it anew';
    const more = { properties, previousProperties: properties, repairs: true };
    const call = { ...callOf("again", more), action: "UPDATE" as const, physicalId: id };
    const type = typeAt(engine.socketPath, SERVER);
    let answer = await type.update?.(call);
    let polls = 0;
    for (; answer?.state === "waiting" && polls < 100; polls += 1) {
      answer = await type.poll?.({ ...call, handle: answer.handle ?? "" });
    }
    expect([answer, polls]).toEqual([{ state: "failed", reason }, 30]);
    containerOf(id).status = "exited";
    containerOf(id).addresses.set("hearth-subnet-gone", "10.87.0.2");
    expect(await onServer("RESUME", id, properties)).toEqual({ state: "failed", reason });
  });

  it("whose network was removed joins the new one, running or stopped", async () => {
    const net = await network("10.87.0.0/24");
    const properties = propertiesIn(net);
    const id = await make(SERVER, properties);
    for (const status of ["running", "exited"] as const) {
      const cidr = "10.87.0.0/24";
      containerOf(id).status = status;
      if (status === "running") containerOf(id).addresses.clear();
      for (const own of engine.state.networks.keys()) {
        if (own !== "id-bridge") engine.state.networks.delete(own);
      }
      expect(await onServer("CHECK", id, properties)).toMatchObject(
        status === "running" ? differs("a network of it is gone") : { health: "stopped" },
      );
      if (status === "running") {
        expect(await onServer("UPDATE", id, properties)).toMatchObject({ state: "waiting" });
      }
      await make("OS::Neutron::Subnet", { network: net, cidr }, `subnet again, ${status}`);
      await onServer(status === "running" ? "UPDATE" : "RESUME", id, properties);
      expect([...containerOf(id).addresses.values()]).toEqual(["10.87.0.2"]);
      expect(await onServer("CHECK", id, properties)).toMatchObject({ state: "finished" });
    }
  });
});

it("a server of Docker has the limits and the policy that it was made with", async () => {
  const folder = freshFolder();
  const engine = await startEngineDouble(join(folder, "engine.sock"));
  engine.state.images.set(IMAGE, ["/bin/sh", "/usr/local/bin/node"]);
  const type = typeAt(engine.socketPath, SERVER);
  const properties = { image: IMAGE, flavor: "1c-64m" };
  const call = callOf("server", { properties, previousProperties: properties, repairs: true });
  const id = idOf(await type.create(call));
  const at = { ...call, physicalId: id };
  const container = present(engine.state.containers.get(serverName(id)), id);
  const changed = [
    [{ Memory: 32 * 1_048_576 }, "it has another limit of memory"],
    [{ CpuQuota: 50_000 }, "it has another limit of processors"],
    [{ RestartPolicy: { Name: "no" } }, "it starts again by the policy no"],
  ] as const;
  for (const [limits, reason] of changed) {
    const before = container.limits;
    container.limits = { ...before, ...limits };
    expect(await type.check?.(at)).toEqual({ state: "failed", health: "differs", reason });
    expect(await type.update?.(at)).toMatchObject({ state: "finished" });
    expect(container.limits).toEqual(before);
  }
  // An engine that cannot limit reports 0.
  container.limits = { Memory: 0 };
  expect(await type.check?.(at)).toMatchObject({ state: "finished" });
  await engine.stop();
  removeFolder(folder);
});
