import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { subnetProblem } from "./subnet-checks.ts";

export const neutronSubnet: DeclaredType = {
  type: "OS::Neutron::Subnet",
  schema: {
    description: "A block of IP addresses on a network, from which ports get their addresses.",
    properties: {
      network_id: {
        type: "string",
        support: {
          status: "HIDDEN",
          since: "5.0.0",
          message: "Use property network.",
          previous: { status: "DEPRECATED", since: "2014.2" },
        },
        constraints: [{ custom: "neutron.network" }],
      },
      network: {
        type: "string",
        description: "The name or ID of the network to which this subnet belongs.",
        required: true,
        support: { since: "2014.2" },
        constraints: [{ custom: "neutron.network" }],
      },
      subnetpool: {
        type: "string",
        description: "The subnet pool that provides the address block, by name or ID.",
        support: { since: "6.0.0" },
        constraints: [{ custom: "neutron.subnetpool" }],
      },
      prefixlen: {
        type: "integer",
        description: "The prefix length of the block to take from the subnet pool.",
        support: { since: "6.0.0" },
        constraints: [{ range: { min: 0 } }],
      },
      cidr: {
        type: "string",
        description: "The address block of this subnet, in CIDR notation.",
        constraints: [{ custom: "net_cidr" }],
      },
      value_specs: {
        type: "map",
        description:
          "Further fields to send to Neutron in the request. Extensions and drivers define them.",
        default: {},
        updateAllowed: true,
      },
      name: { type: "string", description: "The name of this subnet.", updateAllowed: true },
      ip_version: {
        type: "integer",
        description: "The IP version of the addresses in this subnet.",
        default: 4,
        constraints: [{ allowedValues: [4, 6] }],
      },
      dns_nameservers: {
        type: "list",
        description: "The IP addresses of the DNS servers for hosts on this subnet.",
        default: [],
        updateAllowed: true,
      },
      gateway_ip: {
        type: "string",
        description:
          "The IP address of the gateway. Null or an empty string means no gateway. When left out, Neutron takes the first free address.",
        updateAllowed: true,
      },
      enable_dhcp: {
        type: "boolean",
        description: "Whether DHCP serves this subnet.",
        default: true,
        updateAllowed: true,
      },
      allocation_pools: {
        type: "list",
        description: "The ranges of addresses that ports on this subnet may get.",
        updateAllowed: true,
        items: {
          type: "map",
          schema: {
            start: {
              type: "string",
              description: "The first address of the range.",
              required: true,
              constraints: [{ custom: "ip_addr" }],
            },
            end: {
              type: "string",
              description: "The last address of the range.",
              required: true,
              constraints: [{ custom: "ip_addr" }],
            },
          },
        },
      },
      tenant_id: {
        type: "string",
        description:
          "The ID of the project that owns this subnet. Only an administrator may choose another project.",
      },
      host_routes: {
        type: "list",
        description: "The static routes for hosts on this subnet.",
        updateAllowed: true,
        items: {
          type: "map",
          schema: {
            destination: {
              type: "string",
              description: "The destination network of the route, in CIDR notation.",
              required: true,
              constraints: [{ custom: "net_cidr" }],
            },
            nexthop: {
              type: "string",
              description: "The IP address of the next router on the route.",
              required: true,
              constraints: [{ custom: "ip_addr" }],
            },
          },
        },
      },
      ipv6_ra_mode: {
        type: "string",
        description: "How router advertisements tell hosts to configure their IPv6 addresses.",
        support: { since: "2015.1" },
        constraints: [{ allowedValues: ["dhcpv6-stateful", "dhcpv6-stateless", "slaac"] }],
      },
      ipv6_address_mode: {
        type: "string",
        description: "How hosts on this subnet get their IPv6 addresses.",
        support: { since: "2015.1" },
        constraints: [{ allowedValues: ["dhcpv6-stateful", "dhcpv6-stateless", "slaac"] }],
      },
      segment: {
        type: "string",
        description: "The name or ID of the segment that carries this subnet.",
        updateAllowed: true,
        support: {
          since: "11.0.0",
          message: "Update allowed since version 11.0.0.",
          previous: { since: "9.0.0" },
        },
        constraints: [{ custom: "neutron.segment" }],
      },
      tags: {
        type: "list",
        description: "The tags to put on this subnet.",
        updateAllowed: true,
        support: { since: "9.0.0" },
        items: { type: "string" },
      },
    },
    translations: [{ replace: ["network"], by: { property: ["network_id"] } }],
    attributes: {
      name: { description: "The name of this subnet.", type: "string" },
      network_id: {
        description: "The ID of the network to which this subnet belongs.",
        type: "string",
      },
      tenant_id: { description: "The ID of the project that owns this subnet.", type: "string" },
      allocation_pools: {
        description: "The ranges of addresses that ports on this subnet may get.",
        type: "list",
      },
      gateway_ip: { description: "The IP address of the gateway.", type: "string" },
      host_routes: { description: "The static routes for hosts on this subnet.", type: "list" },
      ip_version: {
        description: "The IP version of the addresses in this subnet.",
        type: "string",
      },
      cidr: { description: "The address block of this subnet, in CIDR notation.", type: "string" },
      dns_nameservers: {
        description: "The IP addresses of the DNS servers for hosts on this subnet.",
        type: "list",
      },
      enable_dhcp: { description: "Whether DHCP serves this subnet.", type: "string" },
    },
    validate: subnetProblem,
  },
};
