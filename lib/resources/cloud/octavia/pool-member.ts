import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const octaviaPoolMember: DeclaredType = {
  type: "OS::Octavia::PoolMember",
  schema: {
    description: "One server of a pool, by its address and port.",
    support: { since: "10.0.0" },
    properties: {
      pool: {
        type: "string",
        description: "The pool, by ID or name.",
        required: true,
        constraints: [{ custom: "octavia.pool" }],
      },
      address: {
        type: "string",
        description: "The IP address of the member.",
        required: true,
        constraints: [{ custom: "ip_addr" }],
      },
      protocol_port: {
        type: "integer",
        description: "The port that the member takes traffic on.",
        required: true,
        constraints: [{ range: { min: 1, max: 65535 } }],
      },
      monitor_address: {
        type: "string",
        description: "Another IP address of the member for health checks.",
        constraints: [{ custom: "ip_addr" }],
      },
      monitor_port: {
        type: "integer",
        description: "Another port of the member for health checks.",
        constraints: [{ range: { min: 1, max: 65535 } }],
      },
      weight: {
        type: "integer",
        description:
          "The member's share of the traffic, relative to the others. 0 means no new connections.",
        default: 1,
        updateAllowed: true,
        constraints: [{ range: { min: 0, max: 256 } }],
      },
      admin_state_up: {
        type: "boolean",
        description: "Whether the member is in use.",
        default: true,
        updateAllowed: true,
      },
      subnet: {
        type: "string",
        description: "The subnet that the member is reached from, by ID or name.",
        constraints: [{ custom: "neutron.subnet" }],
      },
      tags: {
        type: "list",
        description: "Tags to store with the member. Octavia has them since Stein.",
        updateAllowed: true,
        support: { since: "13.0.0" },
      },
    },
    attributes: {},
  },
};
