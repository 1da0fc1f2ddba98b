import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronFlowClassifier: DeclaredType = {
  type: "OS::Neutron::FlowClassifier",
  schema: {
    description: "A filter that selects the traffic that enters a port chain.",
    support: { status: "UNSUPPORTED", since: "8.0.0" },
    properties: {
      name: {
        type: "string",
        description: "The name of this flow classifier.",
        updateAllowed: true,
      },
      description: {
        type: "string",
        description: "A description of this flow classifier.",
        updateAllowed: true,
      },
      protocol: {
        type: "string",
        description: "The IP protocol of the traffic to match.",
        constraints: [{ allowedValues: ["tcp", "udp", "icmp"] }],
      },
      ethertype: {
        type: "string",
        description: "The IP version of the traffic to match, as an Ethernet type.",
        default: "IPv4",
        constraints: [{ allowedValues: ["IPv4", "IPv6"] }],
      },
      source_ip_prefix: {
        type: "string",
        description: "The source network of the traffic to match, in CIDR notation.",
        constraints: [{ custom: "net_cidr" }],
      },
      destination_ip_prefix: {
        type: "string",
        description: "The destination network of the traffic to match, in CIDR notation.",
        constraints: [{ custom: "net_cidr" }],
      },
      source_port_range_min: {
        type: "integer",
        description: "The first source port of the range to match.",
        constraints: [{ range: { min: 1, max: 65535 } }],
      },
      source_port_range_max: {
        type: "integer",
        description: "The last source port of the range to match.",
        constraints: [{ range: { min: 1, max: 65535 } }],
      },
      destination_port_range_min: {
        type: "integer",
        description: "The first destination port of the range to match.",
        constraints: [{ range: { min: 1, max: 65535 } }],
      },
      destination_port_range_max: {
        type: "integer",
        description: "The last destination port of the range to match.",
        constraints: [{ range: { min: 1, max: 65535 } }],
      },
      logical_source_port: {
        type: "string",
        description: "The name or ID of the Neutron port from which the traffic comes.",
        constraints: [{ custom: "neutron.port" }],
      },
      logical_destination_port: {
        type: "string",
        description: "The name or ID of the Neutron port to which the traffic goes.",
        constraints: [{ custom: "neutron.port" }],
      },
      l7_parameters: {
        type: "map",
        description: "Conditions on the application layer. Neutron accepts none so far.",
        support: {
          status: "UNSUPPORTED",
          message: "Currently, no value is supported for this option.",
        },
      },
    },
    attributes: {},
  },
};
