import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import type { Json, JsonObject } from "#provider/provider.ts";
import { all } from "../../openstack/double/state.ts";
import { type DoubleStage, startDoubleStage } from "../../openstack/double-stage.ts";
import { typeAt } from "../../openstack/provider-play.ts";
import { callOf } from "../provider-call.ts";
import { change, make } from "../spoilt-operations.ts";

let stage: DoubleStage;
beforeEach(async () => {
  stage = await startDoubleStage();
});
afterEach(() => stage.double.stop());

interface Made {
  readonly id: string;
  readonly check: () => Promise<unknown>;
  readonly repair: () => Promise<unknown>;
  readonly members: (collection: string) => Record<string, Json>[];
}

const made = async (name: string, properties: JsonObject): Promise<Made> => {
  const type = typeAt(stage, name);
  const before = new Set(
    [...stage.double.state.things.values()].flatMap((each) => [...each.keys()]),
  );
  const call = callOf(`drift/${name}`, { properties });
  const answer = await make(type, call, stage.patience);
  const id = present("physicalId" in answer ? answer.physicalId : null, JSON.stringify(answer));
  const own = { ...call, previousProperties: properties, physicalId: id };
  return {
    id,
    check: async () => type.check?.({ ...own, action: "CHECK" }),
    repair: () =>
      change(
        type,
        { ...call, token: `repair/${name}`, repairs: true },
        { physicalId: id, properties },
        stage.patience,
      ),
    members: (collection) =>
      [...all(stage.double.state, collection)].flatMap(([key, thing]) =>
        before.has(key) ? [] : [thing.members],
      ),
  };
};

const differs = (names: string) => ({
  state: "failed",
  health: "differs",
  reason: `changed outside of the stack: ${names}`,
});

const first = (members: Record<string, Json>[]): Record<string, Json> =>
  present(members[0], "what the resource has made");

/** Expects that a check names a change by hand, and that an update undoes it. */
const isMended = async (one: Made, collection: string, by: JsonObject, names: string) => {
  expect(await one.check()).toMatchObject({ state: "finished" });
  const members = first(one.members(collection));
  const before = { ...members };
  Object.assign(members, by);
  expect(await one.check()).toEqual(differs(names));
  expect(await one.repair()).toMatchObject({ state: "finished" });
  expect(first(one.members(collection))).toEqual(before);
  expect(await one.check()).toMatchObject({ state: "finished" });
};

describe("a check of OpenStack's objects", () => {
  const RULES = [
    { protocol: "tcp", port_range_min: 80, port_range_max: 80, remote_ip_prefix: "10.0.0.7/24" },
    { protocol: "TCP", port_range_min: 22, port_range_max: 22, remote_ip_prefix: "10.0.0.7" },
    { protocol: "icmpv6", ethertype: "IPv6" },
  ];

  it("tells that a rule of a group was deleted, or added", async () => {
    const group = await made("OS::Neutron::SecurityGroup", { name: "web", rules: RULES });
    const rules = () => all(stage.double.state, "security-group-rules");
    const shown = () => [...rules().values()].map(({ members }) => ({ ...members, id: "" }));
    const before = shown();
    const [gone = ""] = [...rules()].flatMap(([id, { members }]) =>
      members["port_range_min"] === 80 ? [id] : [],
    );
    rules().delete(gone);
    expect(await group.check()).toEqual(differs("rules"));
    await group.repair();
    expect(shown()).toEqual(expect.arrayContaining(before));
    expect(await group.check()).toMatchObject({ state: "finished" });
    const open = { ...present([...rules().values()][0], "a rule").members, protocol: "udp" };
    const thing = present([...rules().values()][0], "a rule");
    rules().set("by-hand", { ...thing, id: "by-hand", members: open });
    expect(await group.check()).toEqual(differs("rules"));
    await group.repair();
    expect(rules().has("by-hand")).toBe(false);
  });

  it("takes no other spelling of Neutron's for a change", async () => {
    const group = await made("OS::Neutron::SecurityGroup", { name: "web", rules: RULES });
    for (const { members } of all(stage.double.state, "security-group-rules").values()) {
      if (members["remote_ip_prefix"] === "10.0.0.7/24")
        members["remote_ip_prefix"] = "10.0.0.0/24";
      if (members["remote_ip_prefix"] === "10.0.0.7") members["remote_ip_prefix"] = "10.0.0.7/32";
      if (members["protocol"] === "TCP") members["protocol"] = "tcp";
      if (members["protocol"] === "icmpv6") members["protocol"] = "ipv6-icmp";
    }
    const before = [...all(stage.double.state, "security-group-rules").keys()];
    expect(await group.check()).toMatchObject({ state: "finished" });
    await group.repair();
    expect([...all(stage.double.state, "security-group-rules").keys()]).toEqual(before);
  });

  it("tells what of networks, subnets and ports was changed", async () => {
    const net = await made("OS::Neutron::Net", { name: "front", admin_state_up: true });
    await isMended(net, "networks", { admin_state_up: false, name: "x" }, "admin_state_up, name");
    const subnet = await made("OS::Neutron::Subnet", {
      network: net.id,
      cidr: "10.9.0.0/24",
      dns_nameservers: ["10.9.0.2"],
    });
    await isMended(subnet, "subnets", { dns_nameservers: [] }, "dns_nameservers");
    const port = await made("OS::Neutron::Port", {
      network: net.id,
      fixed_ips: [{ subnet: subnet.id }],
      allowed_address_pairs: [{ ip_address: "10.9.0.9" }],
    });
    await isMended(port, "ports", { allowed_address_pairs: [] }, "allowed_address_pairs");
    const members = first(port.members("ports"));
    const own = { subnet_id: "another", ip_address: "fd00::7" };
    const { fixed_ips: addresses } = members;
    members["fixed_ips"] = Array.isArray(addresses) ? [...addresses, own] : [];
    expect(await port.check()).toMatchObject({ state: "finished" });
  });

  it("looks only at an object that was imported", async () => {
    const type = typeAt(stage, "OS::Neutron::Net");
    const { id } = await made("OS::Neutron::Net", { name: "theirs" });
    const call = callOf("import", { action: "CHECK", properties: { name: "another" } });
    expect(await type.check?.({ ...call, physicalId: id })).toMatchObject({ state: "finished" });
  });

  it("tells another flavor, name and metadata of a server", async () => {
    const server = await made("OS::Nova::Server", {
      name: "web",
      image: "cirros",
      flavor: "m1.tiny",
      metadata: { a: "b" },
      networks: [],
    });
    const flavor = { flavor_name: "m1.small" };
    await isMended(server, "servers", flavor, "flavor");
    await isMended(server, "servers", { name: "x" }, "name");
    const { metadata } = first(server.members("servers"));
    const changed = typeof metadata === "object" ? { ...metadata, a: "c" } : null;
    await isMended(server, "servers", { metadata: changed }, "metadata");
  });

  it("tells another name of a volume, and leaves one that was extended as it is", async () => {
    const volume = await made("OS::Cinder::Volume", { name: "data", size: 1 });
    await isMended(volume, "volumes", { name: "x" }, "name");
    Object.assign(first(volume.members("volumes")), { size: 5 });
    expect(await volume.check()).toMatchObject({ state: "finished" });
    expect(await volume.repair()).toMatchObject({ state: "finished" });
    expect(first(volume.members("volumes"))["size"]).toBe(5);
  });
});
