import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { member } from "#lib/template/json-shape.ts";

export const neutronSecurityGroup: DeclaredType = {
  type: "OS::Neutron::SecurityGroup",
  schema: {
    description: "A set of rules that says which traffic may pass through a port.",
    support: { since: "2014.1" },
    properties: {
      name: {
        type: "string",
        description: "The name of this security group.",
        updateAllowed: true,
      },
      description: {
        type: "string",
        description: "A description of this security group.",
        updateAllowed: true,
      },
      rules: {
        type: "list",
        description: "The rules of this security group.",
        default: [],
        updateAllowed: true,
        items: {
          type: "map",
          schema: {
            direction: {
              type: "string",
              description: "The direction of the traffic, as the port sees it.",
              default: "ingress",
              constraints: [{ allowedValues: ["ingress", "egress"] }],
            },
            ethertype: {
              type: "string",
              description: "The IP version of the traffic to match, as an Ethernet type.",
              default: "IPv4",
              constraints: [{ allowedValues: ["IPv4", "IPv6"] }],
            },
            port_range_min: {
              type: "integer",
              description: "The first port of the range to match. For ICMP, it is the ICMP type.",
              constraints: [{ range: { min: 0, max: 65535 } }],
            },
            port_range_max: {
              type: "integer",
              description: "The last port of the range to match. For ICMP, it is the ICMP code.",
              constraints: [{ range: { min: 0, max: 65535 } }],
            },
            protocol: { type: "string", description: "The IP protocol of the traffic to match." },
            remote_mode: {
              type: "string",
              description:
                "Whether the rule names the remote side by security group or by address.",
              default: "remote_ip_prefix",
              constraints: [{ allowedValues: ["remote_ip_prefix", "remote_group_id"] }],
            },
            remote_group_id: {
              type: "string",
              description:
                "The name or ID of the security group on the remote side. Without one, it is this group. It needs the matching remote_mode.",
              constraints: [{ custom: "neutron.security_group" }],
            },
            remote_ip_prefix: {
              type: "string",
              description: "The remote addresses of the traffic, in CIDR notation.",
              constraints: [{ custom: "net_cidr" }],
            },
          },
        },
      },
    },
    attributes: {},
    validate: (given) =>
      member(given, "name") === "default"
        ? 'Security groups cannot be assigned the name "default".'
        : null,
  },
};
