import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronFloatingIpPortForward: DeclaredType = {
  type: "OS::Neutron::FloatingIPPortForward",
  schema: {
    description:
      "A rule that forwards one port of a floating IP to an internal address. The floating IP itself must not be linked to a port.",
    support: { since: "19.0.0" },
    properties: {
      internal_ip_address: {
        type: "string",
        description: "The internal IP address that receives the traffic.",
        required: true,
        updateAllowed: true,
        constraints: [{ custom: "ip_addr" }],
      },
      internal_port_number: {
        type: "integer",
        description: "The port number that receives the traffic.",
        updateAllowed: true,
        constraints: [{ range: { min: 1, max: 65535 } }],
      },
      external_port: {
        type: "integer",
        description: "The port number on the floating IP.",
        required: true,
        updateAllowed: true,
        constraints: [{ range: { min: 1, max: 65535 } }],
      },
      internal_port: {
        type: "string",
        description: "The name or ID of the Neutron port that has the internal IP address.",
        required: true,
        updateAllowed: true,
        constraints: [{ custom: "neutron.port" }],
      },
      protocol: {
        type: "string",
        description: "The IP protocol of the traffic to forward.",
        required: true,
        updateAllowed: true,
        constraints: [{ allowedValues: ["tcp", "udp", "icmp", "icmp6", "sctp", "dccp"] }],
      },
      floating_ip: {
        type: "string",
        description: "The floating IP that has the external port, by name or ID.",
        required: true,
      },
    },
    attributes: {},
  },
};
