import { SUBNET_SCHEMAS } from "../../network-schemas.ts";
import { type Empties, type Refuse, refuseFilled } from "../../refused-properties.ts";
import { textOf } from "../../values.ts";
import { idByName, PLACES } from "../names.ts";
import { OWN_PROJECT } from "../refusals.ts";
import type { NeutronKind } from "./neutron-type.ts";

const SUBNET: Empties = {
  tenant_id: OWN_PROJECT,
  segment: "give its id as value_specs: {segment_id: ID}",
};

export const refuseSubnet: Refuse = (properties) => refuseFilled(properties, SUBNET);

export const subnet: NeutronKind = {
  description: "The address range of a network.",
  collection: "subnets",
  member: "subnet",
  refuse: refuseSubnet,
  tagged: true,
  fixed: [
    "network_id",
    "cidr",
    "subnetpool_id",
    "prefixlen",
    "ip_version",
    "ipv6_ra_mode",
    "ipv6_address_mode",
  ],
  body: async (at) => {
    const { properties } = at.call;
    const pool = textOf(properties["subnetpool"]);
    const { gateway_ip: gateway } = properties;
    return {
      network_id: await idByName(at, PLACES.network, textOf(properties["network"])),
      ip_version: properties["ip_version"] ?? 4,
      cidr: properties["cidr"] ?? undefined,
      subnetpool_id: pool === "" ? undefined : await idByName(at, PLACES.subnetPool, pool),
      prefixlen: properties["prefixlen"] ?? undefined,
      enable_dhcp: properties["enable_dhcp"] !== false,
      dns_nameservers: properties["dns_nameservers"] ?? undefined,
      allocation_pools: properties["allocation_pools"] ?? undefined,
      host_routes: properties["host_routes"] ?? undefined,
      ipv6_ra_mode: properties["ipv6_ra_mode"] ?? undefined,
      ipv6_address_mode: properties["ipv6_address_mode"] ?? undefined,
      // An empty text asks for no gateway.
      ...(gateway === undefined || gateway === null ? {} : { gateway_ip: gateway || null }),
    };
  },
  ...SUBNET_SCHEMAS,
};
