import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { valueSpecsProblem } from "./value-specs.ts";

export const neutronNet: DeclaredType = {
  type: "OS::Neutron::Net",
  schema: {
    description: "A virtual layer-2 network. Only its own project can use it, unless it is shared.",
    properties: {
      name: { type: "string", description: "The name of this network.", updateAllowed: true },
      value_specs: {
        type: "map",
        description:
          "Further fields to send to Neutron in the request. Extensions and drivers define them.",
        default: {},
        updateAllowed: true,
      },
      admin_state_up: {
        type: "boolean",
        description: "Whether this network is administratively up.",
        default: true,
        updateAllowed: true,
      },
      tenant_id: {
        type: "string",
        description:
          "The ID of the project that owns this network. Only an administrator may choose another project.",
      },
      shared: {
        type: "boolean",
        description:
          "Whether all projects may use this network. Usually only an administrator may set it.",
        default: false,
        updateAllowed: true,
      },
      dhcp_agent_ids: {
        type: "list",
        description:
          "The IDs of the DHCP agents that serve this network. Usually only an administrator may set them.",
        updateAllowed: true,
      },
      port_security_enabled: {
        type: "boolean",
        description:
          "Whether new ports on this network have port security, unless they say otherwise.",
        updateAllowed: true,
        support: { since: "5.0.0" },
      },
      qos_policy: {
        type: "string",
        description: "The name or ID of the QoS policy of this network.",
        updateAllowed: true,
        support: { since: "6.0.0" },
        constraints: [{ custom: "neutron.qos_policy" }],
      },
      dns_domain: {
        type: "string",
        description: "The DNS domain for the names of this network's ports.",
        updateAllowed: true,
        support: { since: "7.0.0" },
        constraints: [{ custom: "dns_domain" }],
      },
      availability_zone_hints: {
        type: "list",
        description:
          "The availability zones where Neutron may place this network. Neutron must have the availability_zone extension.",
        support: { since: "19.0.0" },
      },
      tags: {
        type: "list",
        description: "The tags to put on this network.",
        updateAllowed: true,
        support: { since: "9.0.0" },
        items: { type: "string" },
      },
    },
    attributes: {
      status: {
        description: "The status of this network, such as ACTIVE or DOWN.",
        type: "string",
      },
      name: { description: "The name of this network.", type: "string" },
      subnets: { description: "The IDs of the subnets on this network.", type: "list" },
      admin_state_up: {
        description: "Whether this network is administratively up.",
        type: "string",
      },
      tenant_id: { description: "The ID of the project that owns this network.", type: "string" },
      port_security_enabled: {
        description:
          "Whether new ports on this network have port security, unless they say otherwise.",
        type: "boolean",
        support: { since: "5.0.0" },
      },
      mtu: {
        description: "The largest packet that this network carries, in bytes.",
        type: "integer",
        support: { since: "5.0.0" },
      },
      qos_policy_id: {
        description: "The ID of the QoS policy of this network.",
        type: "string",
        support: { since: "6.0.0" },
      },
      l2_adjacency: {
        description: "Whether all ports of this network reach each other at layer 2.",
        type: "boolean",
        support: { since: "9.0.0" },
      },
      segments: {
        description: "The segments that make up this network, with their details.",
        type: "list",
        support: { since: "11.0.0" },
      },
    },
    validate: (given) => valueSpecsProblem(given, neutronNet),
  },
};
