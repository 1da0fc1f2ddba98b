import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronFirewallRule: DeclaredType = {
  type: "OS::Neutron::FirewallRule",
  schema: {
    description:
      "A rule of a firewall policy. It says which traffic matches and whether that traffic may pass.",
    properties: {
      name: { type: "string", description: "The name of this firewall rule.", updateAllowed: true },
      description: {
        type: "string",
        description: "A description of this firewall rule.",
        updateAllowed: true,
      },
      shared: {
        type: "boolean",
        description: "Whether all projects may use this firewall rule.",
        default: false,
        updateAllowed: true,
      },
      protocol: {
        type: "string",
        description: "The IP protocol of the traffic to match.",
        default: "any",
        updateAllowed: true,
        constraints: [{ allowedValues: ["tcp", "udp", "icmp", "any"] }],
      },
      ip_version: {
        type: "string",
        description: "The IP version of the traffic to match.",
        default: "4",
        updateAllowed: true,
        constraints: [{ allowedValues: ["4", "6"] }],
      },
      source_ip_address: {
        type: "string",
        description: "The source of the traffic to match, as an IP address or in CIDR notation.",
        updateAllowed: true,
        constraints: [{ custom: "net_cidr" }],
      },
      destination_ip_address: {
        type: "string",
        description:
          "The destination of the traffic to match, as an IP address or in CIDR notation.",
        updateAllowed: true,
        constraints: [{ custom: "net_cidr" }],
      },
      source_port: {
        type: "string",
        description:
          "The source port of the traffic to match. Two ports with a colon between them are a range.",
        updateAllowed: true,
      },
      destination_port: {
        type: "string",
        description:
          "The destination port of the traffic to match. Two ports with a colon between them are a range.",
        updateAllowed: true,
      },
      action: {
        type: "string",
        description: "What the firewall does with traffic that matches.",
        default: "deny",
        updateAllowed: true,
        constraints: [{ allowedValues: ["allow", "deny"] }],
      },
      enabled: {
        type: "boolean",
        description: "Whether this firewall rule takes effect.",
        default: true,
        updateAllowed: true,
      },
    },
    attributes: {
      name: { description: "The name of this firewall rule.", type: "string" },
      description: { description: "A description of this firewall rule.", type: "string" },
      firewall_policy_id: {
        description: "The ID of the firewall policy that contains this rule.",
        type: "string",
      },
      shared: { description: "Whether all projects may use this firewall rule.", type: "string" },
      protocol: { description: "The IP protocol of the traffic to match.", type: "string" },
      ip_version: { description: "The IP version of the traffic to match.", type: "string" },
      source_ip_address: {
        description: "The source of the traffic to match, as an IP address or in CIDR notation.",
        type: "string",
      },
      destination_ip_address: {
        description:
          "The destination of the traffic to match, as an IP address or in CIDR notation.",
        type: "string",
      },
      source_port: {
        description:
          "The source port of the traffic to match. Two ports with a colon between them are a range.",
        type: "string",
      },
      destination_port: {
        description:
          "The destination port of the traffic to match. Two ports with a colon between them are a range.",
        type: "string",
      },
      action: { description: "What the firewall does with traffic that matches.", type: "string" },
      enabled: { description: "Whether this firewall rule takes effect.", type: "string" },
      position: {
        description: "The place of this rule in its firewall policy, counted from 1.",
        type: "string",
      },
      tenant_id: {
        description: "The ID of the project that owns this firewall rule.",
        type: "string",
      },
    },
  },
};
