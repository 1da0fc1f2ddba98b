import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { subnetPoolProblem } from "./subnet-pool-checks.ts";

export const neutronSubnetPool: DeclaredType = {
  type: "OS::Neutron::SubnetPool",
  schema: {
    description: "A pool of IP addresses, from which subnets get their address blocks.",
    support: { since: "6.0.0" },
    properties: {
      name: { type: "string", description: "The name of this subnet pool.", updateAllowed: true },
      prefixes: {
        type: "list",
        description: "The address blocks of this subnet pool, in CIDR notation.",
        required: true,
        updateAllowed: true,
        constraints: [{ length: { min: 1 } }],
        items: { type: "string", constraints: [{ custom: "net_cidr" }] },
      },
      address_scope: {
        type: "string",
        description: "The name or ID of the address scope of this subnet pool.",
        updateAllowed: true,
        constraints: [{ custom: "neutron.address_scope" }],
      },
      default_quota: {
        type: "integer",
        description:
          "How much of the pool a project may use. IPv4 counts addresses, and IPv6 counts /64 blocks.",
        updateAllowed: true,
        constraints: [{ range: { min: 0 } }],
      },
      default_prefixlen: {
        type: "integer",
        description: "The prefix length of a subnet that does not ask for one.",
        updateAllowed: true,
        constraints: [{ range: { min: 0 } }],
      },
      min_prefixlen: {
        type: "integer",
        description: "The smallest prefix length that a subnet may ask for.",
        updateAllowed: true,
        constraints: [{ range: { min: 0 } }],
      },
      max_prefixlen: {
        type: "integer",
        description: "The largest prefix length that a subnet may ask for.",
        updateAllowed: true,
        constraints: [{ range: { min: 0 } }],
      },
      is_default: {
        type: "boolean",
        description:
          "Whether this is the default subnet pool for its IP version. Usually only an administrator may set it.",
        default: false,
        updateAllowed: true,
      },
      tenant_id: {
        type: "string",
        description:
          "The ID of the project that owns this subnet pool. Only an administrator may choose another project.",
      },
      shared: {
        type: "boolean",
        description:
          "Whether all projects may use this subnet pool. Usually only an administrator may set it.",
        default: false,
      },
      tags: {
        type: "list",
        description: "The tags to put on this subnet pool.",
        updateAllowed: true,
        support: { since: "9.0.0" },
        items: { type: "string" },
      },
    },
    attributes: {},
    validate: subnetPoolProblem,
  },
};
