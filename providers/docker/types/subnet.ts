/** OS::Neutron::Subnet: creates the engine's network with its range and gateway. */
import type { Answer, Call, JsonObject, ObjectCall, ProvidedType } from "#provider/provider.ts";
import {
  type Empties,
  isChanged,
  type Refuse,
  type RefusedProperty,
  refuseFilled,
  refuseOff,
} from "#providers/server-provider.ts";
import { addressOf, isHostIn, type Range, rangeOf } from "../../ipv4.ts";
import { idOf, nameOf } from "../../object-names.ts";
import { listOf, textOf } from "../../values.ts";
import { type At, type BackEnd, stepsIn, textOfRefusal, waiting } from "../back-end.ts";
import { isSuccess, messageOf } from "../engine/client.ts";
import type { Network } from "../engine/networks.ts";
import { LABELS, type Labels, labelsFor, labelsOfId, listsOf } from "../objects.ts";
import { addressesOf } from "./free-addresses.ts";
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
  refuseOff(properties, { enable_dhcp: "the engine gives each container its address" }) ??
  (properties["gateway_ip"] === ""
    ? { property: "gateway_ip", why: "a bridge always has a gateway" }
    : null) ??
  refuseRange(properties);

const networksOf = ({ networks, call }: At, id: string): Promise<readonly Network[]> =>
  networks.list(labelsOfId(call.tenant, "subnet", id));

const attributesOf = (call: Call, network: Network): JsonObject => {
  const { cidr, gateway, range } = addressesOf(network);
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

const find = async (at: At): Promise<Answer | null> => {
  const [network] = await networksOf(at, idOf(at.call.token));
  return network === undefined ? null : finished(at.call, network);
};

/** A bridge has one range, so a net has one subnet. */
const whyOccupied = async ({ networks }: At, netId: string, id: string): Promise<string | null> => {
  const others = await networks.list({ [NET_ID]: netId });
  return others.some(({ Labels: labels }) => labels[LABELS.id] !== id)
    ? "network has a subnet already, and a network of Docker has one"
    : null;
};

const create = async (at: At): Promise<Answer> => {
  const { properties } = at.call;
  const fail = (reason: string): Answer => ({ state: "failed", reason, physicalId: id });
  const id = idOf(at.call.token);
  const wrong = refuseSubnet(properties);
  if (wrong !== null) return fail(textOfRefusal(wrong));
  const earlier = await find(at);
  if (earlier !== null) return earlier;
  const range = rangeOf(textOf(properties["cidr"]));
  if (range === null) return fail("cidr is needed");
  const net = await netOf(at, textOf(properties["network"]));
  if (net === null) return fail(`The Network (${textOf(properties["network"])}) is not Hearth's.`);
  const netId = net[LABELS.id] ?? "";
  const occupied = await whyOccupied(at, netId, id);
  if (occupied !== null) return fail(occupied);
  const servers = listOf(properties["dns_nameservers"]).map(textOf).join(",");
  const labels: Labels = {
    ...labelsFor(at.call, "subnet", id, nameOf(at.call, id)),
    [NET_ID]: netId,
    ...(servers === "" ? {} : { [NAME_SERVERS]: servers }),
  };
  const answer = await at.networks.create(specOf(at.call, id, range, labels));
  // Another call with this token may have taken the range.
  const made = await find(at);
  if (made !== null) return made;
  return isSuccess(answer) ? { state: "throttled" } : fail(`Docker: ${messageOf(answer)}`);
};

const FIXED = ["gateway_ip", "dns_nameservers", "cidr"] as const;

/** A replacement could not have the range before this network is gone, and servers use it. */
const rename = async (at: At<ObjectCall>): Promise<Answer> => {
  const changed = FIXED.find((name) => isChanged(at.call, name));
  const wrong: RefusedProperty | null =
    changed === undefined
      ? refuseSubnet(at.call.properties)
      : { property: changed, why: "a network of the engine cannot be changed" };
  return wrong === null ? check(at) : { state: "failed", reason: textOfRefusal(wrong) };
};

const check = async (at: At<ObjectCall>): Promise<Answer> => {
  const [network] = await networksOf(at, at.call.physicalId);
  return network === undefined ? { state: "gone" } : finished(at.call, network);
};

const remove = async (at: At<ObjectCall>): Promise<Answer> => {
  const { physicalId } = at.call;
  for (const { Id } of await networksOf(at, physicalId)) {
    if ((await at.networks.remove(Id)) !== "gone") return waiting(physicalId);
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
  ...stepsIn(backEnd, { create, find, update: rename, remove, check }),
  repairable: true,
  ...listsOf("subnet", async (wanted) =>
    (await backEnd.networks.list(wanted)).map(({ Labels: labels }) => labels),
  ),
});
