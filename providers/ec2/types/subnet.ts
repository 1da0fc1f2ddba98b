import type { Subnet } from "@aws-sdk/client-ec2";
import type { JsonObject } from "#provider/provider.ts";
import { addressOf, numberOf, type Range, rangeOf } from "#providers/ipv4.ts";
import { SUBNET_SCHEMAS } from "#providers/network-schemas.ts";
import {
  type Empties,
  type Refuse,
  type RefusedProperty,
  refuseFilled,
  refuseOff,
} from "#providers/server-provider.ts";
import { objectsOf, textOf } from "#providers/values.ts";
import { hasCode, Impossible } from "../account.ts";
import { NETS, reach, SUBNETS } from "../objects/looks.ts";
import { nameIn, type ObjectType, tagsOfNew } from "../objects/object-type.ts";
import { vpcOf, zoneOf } from "../objects/place.ts";
import { refuseTags, TAGS, tagged, tagOf } from "../tags.ts";
import { associate, associationOf } from "./net.ts";

const SUBNET: Empties = {
  subnetpool: "give cidr",
  prefixlen: "give cidr",
  value_specs: "EC2 has no extensions of Neutron",
  host_routes: "EC2 gives instances no routes",
  dns_nameservers: "the name servers belong to the VPC",
  ipv6_ra_mode: "only IPv4 is offered",
  ipv6_address_mode: "only IPv4 is offered",
  segment: "EC2 has no segments",
  tenant_id: "a subnet belongs to the project of its stack",
};

/** EC2 reserves the first four addresses and the last one. The second is the gateway. */
const GATEWAY = 1;
const FIRST = 4;
const BITS_MIN = 16;
const BITS_MAX = 28;

const poolOf = ({ first, last }: Range): { readonly start: string; readonly end: string } => ({
  start: addressOf(first + FIRST),
  end: addressOf(last - 1),
});

const holds = (pool: JsonObject, { first, last }: Range): boolean => {
  const [start, end] = ["start", "end"].map((name) => numberOf(textOf(pool[name])));
  return (start ?? last) <= first + FIRST && (end ?? first) >= last - 1;
};

const refuseRange = (properties: JsonObject): RefusedProperty | null => {
  const cidr = textOf(properties["cidr"]);
  if (cidr === "") return null;
  const range = rangeOf(cidr);
  const bits = Number(cidr.split("/")[1]);
  if (range === null || bits < BITS_MIN || bits > BITS_MAX) {
    const why = `EC2 takes ranges of IPv4 addresses from /${BITS_MIN} to /${BITS_MAX}`;
    return { property: "cidr", why };
  }
  const gateway = textOf(properties["gateway_ip"]);
  const own = addressOf(range.first + GATEWAY);
  if (gateway !== "" && gateway !== own) {
    return { property: "gateway_ip", why: `the gateway of ${cidr} is always ${own}` };
  }
  const pools = objectsOf(properties["allocation_pools"]);
  if (pools.length === 0 || pools.some((pool) => holds(pool, range))) return null;
  const { start, end } = poolOf(range);
  const why = `EC2 chooses from ${start} to ${end}, so a pool must hold these`;
  return { property: "allocation_pools", why };
};

export const refuseSubnet: Refuse = (properties) =>
  refuseFilled(properties, SUBNET) ??
  (properties["ip_version"] === 6
    ? { property: "ip_version", why: "only IPv4 is offered" }
    : null) ??
  refuseOff(properties, { enable_dhcp: "EC2 always gives instances their addresses" }) ??
  (properties["gateway_ip"] === ""
    ? { property: "gateway_ip", why: "a subnet of EC2 always has one" }
    : null) ??
  refuseRange(properties) ??
  refuseTags(properties);

const CONFLICT = "InvalidSubnet.Conflict";
const RANGE = "InvalidSubnet.Range";

export const subnet: ObjectType<Subnet> = {
  description: "A subnet of EC2.",
  kind: SUBNETS,
  ...SUBNET_SCHEMAS,
  // A VPC has each address range once, so a repeated call makes no second subnet.
  tokens: "searchable",
  taken: [CONFLICT],
  refuse: refuseSubnet,
  make: async (at) => {
    const { properties } = at.call;
    const cidr = textOf(properties["cidr"]);
    if (cidr === "") throw new Impossible("cidr is needed");
    const { id } = await reach(at, NETS, textOf(properties["network"]));
    const vpc = await vpcOf(at);
    const given = {
      VpcId: vpc,
      CidrBlock: cidr,
      AvailabilityZone: await zoneOf(at),
      TagSpecifications: tagged("subnet", tagsOfNew(at.call, { [TAGS.net]: id })),
    };
    try {
      const { Subnet: made } = await at.ec2.createSubnet(given, at.abort);
      return made?.SubnetId ?? "";
    } catch (error) {
      if (!hasCode(error, RANGE)) throw error;
      throw new Impossible(`the VPC ${vpc} does not hold the range ${cidr}`);
    }
  },
  bring: async (at, { id, tags }) => {
    const to = tagOf(tags, TAGS.net);
    const from = await associationOf(at, id);
    // A router may have the subnet by now.
    if (to === null || from !== null) return true;
    await associate(at, { subnet: id, from, to });
    return false;
  },
  attributesOf: async (at, seen) => {
    const { own, tags } = seen;
    const cidr = own.CidrBlock ?? "";
    const range = rangeOf(cidr);
    return {
      name: nameIn(seen),
      network_id: tagOf(tags, TAGS.net),
      tenant_id: at.call.tenant,
      allocation_pools: range === null ? [] : [poolOf(range)],
      gateway_ip: range === null ? null : addressOf(range.first + GATEWAY),
      host_routes: [],
      ip_version: 4,
      cidr,
      dns_nameservers: [],
      enable_dhcp: true,
    };
  },
  remove: ({ ec2, abort }, { id }) => ec2.deleteSubnet({ SubnetId: id }, abort),
};
