import type { Answer, Call, ObjectCall, ProvidedType } from "#provider/provider.ts";
import {
  type Empties,
  isChanged,
  type Refuse,
  refuseFilled,
  refuseOff,
} from "#providers/server-provider.ts";
import { isHostIn, numberOf } from "../../ipv4.ts";
import { idOf, nameOf } from "../../object-names.ts";
import { objectsOf, textOf } from "../../values.ts";
import {
  type At,
  type BackEnd,
  refuseGroups,
  stepsIn,
  textOfRefusal,
  waiting,
} from "../back-end.ts";
import type { Network } from "../engine/networks.ts";
import { isOf, LABELS, type Labels, labelsFor, listsOfRecords, recordOfId } from "../objects.ts";
import { ADDRESS, addressesOf, freeAddresses, reserveAddress } from "./free-addresses.ts";
import { NET_ID, netOf } from "./net.ts";

const SUBNET_ID = "hearth.subnet";

const PORT: Empties = {
  device_id: "the server that names the port has it",
  device_owner: "the server that names the port has it",
  dns_name: "the engine's names are those of the servers",
  value_specs: "the engine has no settings for an endpoint",
  mac_address: "the engine chooses it",
  allowed_address_pairs: "nothing filters the traffic of an endpoint",
  qos_policy: "the engine does not limit traffic",
  propagate_uplink_status: "an endpoint has no uplink",
  no_fixed_ips: "an endpoint has one address",
  port_security_enabled: "nothing filters the traffic of an endpoint",
};

export const refusePort: Refuse = (properties) =>
  refuseFilled(properties, PORT) ??
  refuseGroups(properties) ??
  (objectsOf(properties["fixed_ips"]).length > 1
    ? { property: "fixed_ips", why: "an endpoint has one address" }
    : null) ??
  refuseOff(properties, { admin_state_up: "an endpoint is always up" }) ??
  ((properties["binding:vnic_type"] ?? "normal") === "normal"
    ? null
    : { property: "binding:vnic_type", why: "the engine has virtual interfaces only" });

export interface Port {
  readonly netId: string;
  readonly address: string;
}

const readPort = (labels: Labels): Port => ({
  netId: labels[NET_ID] ?? "",
  address: labels[ADDRESS] ?? "",
});

export const portOf = async (at: At, id: string): Promise<Port | null> => {
  const found = await recordOfId(at, "port", id);
  return found === null ? null : readPort(found.labels);
};

const finished = (call: Call, labels: Labels): Answer => {
  const { netId, address } = readPort(labels);
  const id = labels[LABELS.id] ?? "";
  return {
    state: "finished",
    physicalId: id,
    attributes: {
      name: nameOf(call, id),
      network_id: netId,
      status: "DOWN",
      admin_state_up: "True",
      tenant_id: call.tenant,
      fixed_ips: [{ subnet_id: labels[SUBNET_ID] ?? "", ip_address: address }],
      security_groups: [],
      device_id: "",
      device_owner: "",
    },
  };
};

const reserve = async (at: At, network: Network, wanted: readonly string[]): Promise<Answer> => {
  const id = idOf(at.call.token);
  const netId = network.Labels[NET_ID] ?? "";
  const labels = {
    ...labelsFor(at.call, "port", id, nameOf(at.call, id)),
    [SUBNET_ID]: network.Labels[LABELS.id] ?? "",
  };
  for (const address of wanted) {
    const holder = await reserveAddress(at, netId, address, labels);
    if (isOf(holder, at.call)) return finished(at.call, holder);
  }
  const [first = ""] = wanted;
  const reason = `the address ${first} is another port's or server's`;
  return { state: "failed", reason, physicalId: id };
};

const create = async (at: At): Promise<Answer> => {
  const { properties } = at.call;
  const id = idOf(at.call.token);
  const fail = (reason: string): Answer => ({ state: "failed", reason, physicalId: id });
  const wrong = refusePort(properties);
  if (wrong !== null) return fail(textOfRefusal(wrong));
  const known = await recordOfId(at, "port", id);
  if (known !== null) return finished(at.call, known.labels);
  const name = textOf(properties["network"]);
  const net = await netOf(at, name);
  if (net === null) return fail(`The Network (${name}) is not Hearth's.`);
  const [network] = await at.networks.list({ [NET_ID]: net[LABELS.id] ?? "" });
  if (network === undefined) return waiting(id);
  const { cidr, gateway, range } = addressesOf(network);
  if (range === null) return fail("the network has no range of IPv4 addresses");
  const fixed = textOf(objectsOf(properties["fixed_ips"])[0]?.["ip_address"]);
  if (fixed === "") {
    const free = await freeAddresses(at, network, "above");
    if (free.length === 0) return fail(`no address of ${cidr} is free`);
    return reserve(at, network, free);
  }
  const isUsable = isHostIn(range, fixed) && numberOf(fixed) !== numberOf(gateway);
  return isUsable
    ? reserve(at, network, [fixed])
    : fail(`${fixed} is not a free address of ${cidr}`);
};

const check = async (at: At<ObjectCall>): Promise<Answer> => {
  const found = await recordOfId(at, "port", at.call.physicalId);
  return found === null ? { state: "gone" } : finished(at.call, found.labels);
};

const update = async (at: At<ObjectCall>): Promise<Answer> =>
  isChanged(at.call, "fixed_ips") ? { state: "replace" } : check(at);

const remove = async (at: At<ObjectCall>): Promise<Answer> => {
  const found = await recordOfId(at, "port", at.call.physicalId);
  if (found !== null) await at.volumes.remove(found.name);
  return { state: "finished" };
};

export const port = (backEnd: BackEnd): ProvidedType => ({
  description: "A reserved address of a network.",
  properties: {
    network: { type: "string", required: true },
    fixed_ips: { type: "list" },
    name: { type: "string", updateAllowed: true },
  },
  attributes: {
    name: { type: "string" },
    network_id: { type: "string" },
    status: { type: "string" },
    admin_state_up: { type: "string" },
    tenant_id: { type: "string" },
    fixed_ips: { type: "list" },
    security_groups: { type: "list" },
    device_id: { type: "string" },
    device_owner: { type: "string" },
  },
  tokens: "kept",
  ...stepsIn(backEnd, { create, update, remove, check }),
  repairable: true,
  ...listsOfRecords(backEnd, "port"),
});
