import type { Answer, Call, JsonObject, ObjectCall, ProvidedType } from "#provider/provider.ts";
import {
  type Empties,
  isChanged,
  type Refuse,
  type RefusedProperty,
  refuseFilled,
} from "#providers/server-provider.ts";
import { isHostIn, numberOf } from "../../ipv4.ts";
import { idOf, nameOf } from "../../object-names.ts";
import { objectsOf, textOf } from "../../values.ts";
import { asked, type BackEnd, refuseGroups, textOfRefusal, waiting } from "../back-end.ts";
import type { Network } from "../engine/networks.ts";
import {
  isOf,
  LABELS,
  type Labels,
  labelsFor,
  markedRecords,
  recordOfId,
  recordsOf,
} from "../objects.ts";
import { ADDRESS, freeAddresses, rangeOfNetwork, reserveAddress } from "./free-addresses.ts";
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

const refuseAddresses = (properties: JsonObject): RefusedProperty | null =>
  objectsOf(properties["fixed_ips"]).length > 1
    ? { property: "fixed_ips", why: "an endpoint has one address" }
    : null;

export const refusePort: Refuse = (properties) =>
  refuseFilled(properties, PORT) ??
  refuseGroups(properties) ??
  refuseAddresses(properties) ??
  (properties["admin_state_up"] === false
    ? { property: "admin_state_up", why: "an endpoint is always up" }
    : null) ??
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

export const portOf = async (
  backEnd: BackEnd,
  tenant: string,
  id: string,
): Promise<Port | null> => {
  const found = await recordOfId(backEnd, tenant, "port", id);
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

const earlier = async (backEnd: BackEnd, call: Call): Promise<Labels | null> =>
  (await recordOfId(backEnd, call.tenant, "port", idOf(call.token)))?.labels ?? null;

const reserve = async (
  backEnd: BackEnd,
  call: Call,
  network: Network,
  wanted: readonly string[],
): Promise<Answer> => {
  const id = idOf(call.token);
  const netId = network.Labels[NET_ID] ?? "";
  const labels = {
    ...labelsFor(call, "port", id, nameOf(call, id)),
    [SUBNET_ID]: network.Labels[LABELS.id] ?? "",
  };
  for (const address of wanted) {
    const holder = await reserveAddress(backEnd, netId, address, labels);
    if (isOf(holder, call)) return finished(call, holder);
  }
  const [first = ""] = wanted;
  const reason = `the address ${first} is another port's or server's`;
  return { state: "failed", reason, physicalId: id };
};

const create = async (backEnd: BackEnd, call: Call): Promise<Answer> => {
  const { properties, tenant } = call;
  const id = idOf(call.token);
  const fail = (reason: string): Answer => ({ state: "failed", reason, physicalId: id });
  const wrong = refusePort(properties);
  if (wrong !== null) return fail(textOfRefusal(wrong));
  const known = await earlier(backEnd, call);
  if (known !== null) return finished(call, known);
  const name = textOf(properties["network"]);
  const net = await netOf(backEnd, tenant, name);
  if (net === null) return fail(`The Network (${name}) is not Hearth's.`);
  const [network] = await backEnd.networks.list({ [NET_ID]: net[LABELS.id] ?? "" });
  if (network === undefined) return waiting(id);
  const found = rangeOfNetwork(network);
  if (found === null) return fail("the network has no range of IPv4 addresses");
  const { cidr, gateway, range } = found;
  const fixed = textOf(objectsOf(properties["fixed_ips"])[0]?.["ip_address"]);
  if (fixed === "") {
    const free = await freeAddresses(backEnd, call, network, "above");
    if (free.length === 0) return fail(`no address of ${cidr} is free`);
    return reserve(backEnd, call, network, free);
  }
  const isUsable = isHostIn(range, fixed) && numberOf(fixed) !== numberOf(gateway);
  return isUsable
    ? reserve(backEnd, call, network, [fixed])
    : fail(`${fixed} is not a free address of ${cidr}`);
};

const check = async (backEnd: BackEnd, call: ObjectCall): Promise<Answer> => {
  const found = await recordOfId(backEnd, call.tenant, "port", call.physicalId);
  return found === null ? { state: "gone" } : finished(call, found.labels);
};

const update = (backEnd: BackEnd, call: ObjectCall): Promise<Answer> | Answer =>
  isChanged(call, "fixed_ips") ? { state: "replace" } : check(backEnd, call);

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
  create: (call) => asked(() => create(backEnd, call), idOf(call.token)),
  poll: (call) => asked(() => create(backEnd, call)),
  cancel: async () => undefined,
  update: (call) => asked(async () => update(backEnd, call)),
  repairable: true,
  delete: (call) =>
    asked(async () => {
      const found = await recordOfId(backEnd, call.tenant, "port", call.physicalId);
      if (found !== null) await backEnd.volumes.remove(found.name);
      return { state: "finished" };
    }),
  check: (call) => asked(() => check(backEnd, call)),
  list: async () => (await recordsOf(backEnd, "port", {})).map((one) => one[LABELS.id] ?? ""),
  marked: markedRecords(backEnd, "port"),
});
