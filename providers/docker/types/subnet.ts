/** OS::Neutron::Subnet: creates the engine's network with its range and gateway. */
import type { Answer, Call, JsonObject, ObjectCall, ProvidedType } from "#provider/provider.ts";
import {
  type Empties,
  isChanged,
  type Refuse,
  type RefusedProperty,
  refuseFilled,
} from "#providers/server-provider.ts";
import { addressOf, isHostIn, type Range, rangeOf } from "../../ipv4.ts";
import { idOf, nameOf } from "../../object-names.ts";
import { listOf, textOf } from "../../values.ts";
import { asked, type BackEnd, textOfRefusal, waiting } from "../back-end.ts";
import { isSuccess, messageOf } from "../engine/client.ts";
import type { Network } from "../engine/networks.ts";
import { LABELS, type Labels, labelsFor, labelsOfId, markOf } from "../objects.ts";
import { NET_ID, netOf } from "./net.ts";

/** Separated by commas. Networks of an engine have no name servers, so servers read this label. */
export const NAME_SERVERS = "hearth.name_servers";

const SUBNET: Empties = {
  subnetpool: "give cidr",
  prefixlen: "give cidr",
  value_specs: "the engine's networks have no extensions",
  allocation_pools: "the engine chooses from the whole range; give a server a fixed_ip instead",
  host_routes: "the engine gives containers no routes",
  ipv6_ra_mode: "only IPv4 is offered",
  ipv6_address_mode: "only IPv4 is offered",
  segment: "the engine's networks have no segments",
  tenant_id: "a network belongs to the project of its stack",
};

const refuseRange = (properties: JsonObject): RefusedProperty | null => {
  const cidr = textOf(properties["cidr"]);
  if (cidr === "") return null;
  const range = rangeOf(cidr);
  if (range === null) return { property: "cidr", why: "it is not a range of IPv4 addresses" };
  const gateway = textOf(properties["gateway_ip"]);
  return gateway === "" || isHostIn(range, gateway)
    ? null
    : { property: "gateway_ip", why: `it is not an address of ${cidr}` };
};

export const refuseSubnet: Refuse = (properties) =>
  refuseFilled(properties, SUBNET) ??
  (properties["ip_version"] === 6
    ? { property: "ip_version", why: "only IPv4 is offered" }
    : null) ??
  (properties["enable_dhcp"] === false
    ? { property: "enable_dhcp", why: "the engine gives each container its address" }
    : null) ??
  (properties["gateway_ip"] === ""
    ? { property: "gateway_ip", why: "a bridge always has a gateway" }
    : null) ??
  refuseRange(properties);

const networksOf = (
  { networks }: BackEnd,
  { tenant }: Call,
  id: string,
): Promise<readonly Network[]> => networks.list(labelsOfId(tenant, "subnet", id));

const rangeIn = ({ IPAM }: Network): { cidr: string; gateway: string } => {
  const [config] = IPAM.Config ?? [];
  return { cidr: config?.Subnet ?? "", gateway: config?.Gateway ?? "" };
};

const attributesOf = (call: Call, network: Network): JsonObject => {
  const { cidr, gateway } = rangeIn(network);
  const range = rangeOf(cidr);
  return {
    name: nameOf(call, network.Labels[LABELS.id] ?? ""),
    network_id: network.Labels[NET_ID] ?? "",
    tenant_id: call.tenant,
    cidr,
    gateway_ip: gateway,
    ip_version: "4",
    enable_dhcp: "True",
    host_routes: [],
    dns_nameservers: listOf(call.properties["dns_nameservers"]),
    allocation_pools: range === null ? [] : [poolOf(range, gateway)],
  };
};

const poolOf = ({ first, last }: Range, gateway: string): JsonObject => ({
  start: addressOf(addressOf(first + 1) === gateway ? first + 2 : first + 1),
  end: addressOf(last - 1),
});

const finished = (call: Call, network: Network): Answer => ({
  state: "finished",
  physicalId: network.Labels[LABELS.id],
  attributes: attributesOf(call, network),
});

const specOf = (call: Call, id: string, range: Range, labels: Labels): JsonObject => {
  const gateway = textOf(call.properties["gateway_ip"]);
  return {
    Name: `hearth-subnet-${id}`,
    CheckDuplicate: true,
    Driver: "bridge",
    Labels: labels,
    IPAM: {
      Driver: "default",
      Config: [
        {
          Subnet: textOf(call.properties["cidr"]),
          Gateway: gateway === "" ? addressOf(range.first + 1) : gateway,
        },
      ],
    },
  };
};

const find = async (backEnd: BackEnd, call: Call): Promise<Answer | null> => {
  const [network] = await networksOf(backEnd, call, idOf(call.token));
  return network === undefined ? null : finished(call, network);
};

/** A bridge has one range, so a net has one subnet. */
const whyOccupied = async (backEnd: BackEnd, netId: string, id: string): Promise<string | null> => {
  const others = await backEnd.networks.list({ [NET_ID]: netId });
  return others.some(({ Labels: labels }) => labels[LABELS.id] !== id)
    ? "network has a subnet already, and a network of Docker has one"
    : null;
};

const create = async (backEnd: BackEnd, call: Call): Promise<Answer> => {
  const { properties, tenant } = call;
  const fail = (reason: string): Answer => ({ state: "failed", reason, physicalId: id });
  const id = idOf(call.token);
  const wrong = refuseSubnet(properties);
  if (wrong !== null) return fail(textOfRefusal(wrong));
  const earlier = await find(backEnd, call);
  if (earlier !== null) return earlier;
  const range = rangeOf(textOf(properties["cidr"]));
  if (range === null) return fail("cidr is needed");
  const net = await netOf(backEnd, tenant, textOf(properties["network"]));
  if (net === null) return fail(`The Network (${textOf(properties["network"])}) is not Hearth's.`);
  const netId = net[LABELS.id] ?? "";
  const occupied = await whyOccupied(backEnd, netId, id);
  if (occupied !== null) return fail(occupied);
  const servers = listOf(properties["dns_nameservers"]).map(textOf).join(",");
  const labels: Labels = {
    ...labelsFor(call, "subnet", id, nameOf(call, id)),
    [NET_ID]: netId,
    ...(servers === "" ? {} : { [NAME_SERVERS]: servers }),
  };
  const answer = await backEnd.networks.create(specOf(call, id, range, labels));
  // Another call with this token may have taken the range.
  const made = await find(backEnd, call);
  if (made !== null) return made;
  return isSuccess(answer) ? { state: "throttled" } : fail(`Docker: ${messageOf(answer)}`);
};

const FIXED = ["gateway_ip", "dns_nameservers", "cidr"] as const;

/** A replacement could not have the range before this network is gone, and servers use it. */
const rename = async (backEnd: BackEnd, call: ObjectCall): Promise<Answer> => {
  const changed = FIXED.find((name) => isChanged(call, name));
  const wrong: RefusedProperty | null =
    changed === undefined
      ? refuseSubnet(call.properties)
      : { property: changed, why: "a network of the engine cannot be changed" };
  if (wrong !== null) return { state: "failed", reason: textOfRefusal(wrong) };
  const [network] = await networksOf(backEnd, call, call.physicalId);
  return network === undefined ? { state: "gone" } : finished(call, network);
};

const remove = async (backEnd: BackEnd, call: ObjectCall): Promise<Answer> => {
  const { physicalId } = call;
  for (const { Id } of await networksOf(backEnd, call, physicalId)) {
    if ((await backEnd.networks.remove(Id)) !== "gone") return waiting(physicalId);
  }
  return { state: "finished" };
};

export const subnet = (backEnd: BackEnd): ProvidedType => ({
  description: "The address range of a network.",
  properties: {
    network: { type: "string", required: true },
    cidr: { type: "string" },
    name: { type: "string", updateAllowed: true },
    gateway_ip: { type: "string" },
    dns_nameservers: { type: "list", default: [] },
  },
  attributes: {
    name: { type: "string" },
    network_id: { type: "string" },
    tenant_id: { type: "string" },
    cidr: { type: "string" },
    gateway_ip: { type: "string" },
    ip_version: { type: "string" },
    enable_dhcp: { type: "string" },
    host_routes: { type: "list" },
    dns_nameservers: { type: "list" },
    allocation_pools: { type: "list" },
  },
  tokens: "searchable",
  find: (call) => asked(() => find(backEnd, call)),
  create: (call) => asked(() => create(backEnd, call), idOf(call.token)),
  update: (call) => asked(() => rename(backEnd, call)),
  repairable: true,
  delete: (call) => asked(() => remove(backEnd, call)),
  poll: (call) => asked(() => remove(backEnd, call)),
  cancel: async () => undefined,
  check: (call) =>
    asked(async () => {
      const [network] = await networksOf(backEnd, call, call.physicalId);
      return network === undefined ? { state: "gone" } : finished(call, network);
    }),
  list: async () =>
    (await backEnd.networks.list({ [LABELS.kind]: "subnet" })).map(
      ({ Labels: labels }) => labels[LABELS.id] ?? "",
    ),
  marked: async (tenant) => {
    const wanted = { [LABELS.kind]: "subnet", [LABELS.tenant]: tenant };
    return (await backEnd.networks.list(wanted)).map(({ Labels: labels }) => markOf(labels));
  },
});
