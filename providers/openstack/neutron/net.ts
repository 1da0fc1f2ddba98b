import { NET_SCHEMAS, SUBNET_SCHEMAS } from "#providers/network-schemas.ts";
import { type Empties, type Refuse, refuseFilled } from "#providers/server-provider.ts";
import { textOf } from "#providers/values.ts";
import { OWN_PROJECT } from "../asked.ts";
import { idByName, PLACES } from "../names.ts";
import type { NeutronKind } from "./neutron-type.ts";

export const QOS = "give its id as value_specs: {qos_policy_id: ID}";

const NET: Empties = {
  tenant_id: OWN_PROJECT,
  dhcp_agent_ids: "only an administrator may choose agents",
  qos_policy: QOS,
};

export const refuseNet: Refuse = (properties) => refuseFilled(properties, NET);

export const net: NeutronKind = {
  description: "A network.",
  collection: "networks",
  member: "network",
  refuse: refuseNet,
  tagged: true,
  fixed: ["availability_zone_hints"],
  body: async ({ call: { properties } }) => ({
    admin_state_up: properties["admin_state_up"] !== false,
    // Only an administrator may send `shared`, even as false.
    shared: properties["shared"] === true ? true : undefined,
    port_security_enabled: properties["port_security_enabled"] ?? undefined,
    dns_domain: properties["dns_domain"] ?? undefined,
    availability_zone_hints: properties["availability_zone_hints"] ?? undefined,
  }),
  ...NET_SCHEMAS,
};

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
