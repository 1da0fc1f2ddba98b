/** The property of OS::Nova::Server for its network interfaces. */
import type { PropertySchema } from "#lib/model/property-schema.ts";

export const networks: PropertySchema = {
  type: "list",
  description: "The network interfaces of the server, in order.",
  updateAllowed: true,
  items: {
    type: "map",
    schema: {
      uuid: {
        type: "string",
        description: "The network of a new port, by ID. Use network instead.",
        support: {
          status: "HIDDEN",
          since: "5.0.0",
          previous: {
            status: "DEPRECATED",
            since: "2014.1",
            message: "Use property network.",
          },
        },
        constraints: [{ custom: "neutron.network" }],
      },
      network: {
        type: "string",
        description: "The network of a new port, by name or ID.",
        constraints: [{ custom: "neutron.network" }],
      },
      allocate_network: {
        type: "string",
        description:
          "Whether Nova finds or makes a network, or leaves the server without one. No other key may go with it. Needs Nova API version 2.37.",
        updateAllowed: true,
        support: { since: "9.0.0" },
        constraints: [{ allowedValues: ["none", "auto"] }],
      },
      fixed_ip: {
        type: "string",
        description: "The IP address of the new port.",
        constraints: [{ custom: "ip_addr" }],
      },
      port: {
        type: "string",
        description: "The existing port to use, by ID.",
        constraints: [{ custom: "neutron.port" }],
      },
      port_extra_properties: {
        type: "map",
        description: "Further settings of the new port. An existing port ignores them.",
        support: { since: "6.0.0" },
        schema: {
          value_specs: {
            type: "map",
            description: "Further parameters to send to Neutron with the port.",
            default: {},
            updateAllowed: true,
          },
          admin_state_up: {
            type: "boolean",
            description: "Whether the port is up and passes traffic.",
            default: true,
            updateAllowed: true,
          },
          mac_address: {
            type: "string",
            description:
              "The MAC address of the port. Neutron usually lets only administrators change it.",
            constraints: [{ custom: "mac_addr" }],
          },
          allowed_address_pairs: {
            type: "list",
            description: "Further MAC and IP addresses that may send traffic through the port.",
            updateAllowed: true,
            items: {
              type: "map",
              schema: {
                mac_address: {
                  type: "string",
                  description: "The MAC address to let through.",
                  constraints: [{ custom: "mac_addr" }],
                },
                ip_address: {
                  type: "string",
                  description: "The IP address or CIDR range to let through.",
                  required: true,
                  constraints: [{ custom: "ip_or_cidr" }],
                },
              },
            },
          },
          "binding:vnic_type": {
            type: "string",
            description:
              "The kind of network card behind the port. Kinds other than a virtual card need hardware such as SR-IOV.",
            default: "normal",
            updateAllowed: true,
            support: { since: "2015.1" },
            constraints: [
              {
                allowedValues: [
                  "normal",
                  "direct",
                  "macvtap",
                  "direct-physical",
                  "baremetal",
                  "virtio-forwarder",
                  "smart-nic",
                ],
              },
            ],
          },
          port_security_enabled: {
            type: "boolean",
            description:
              "Whether the port filters traffic. Without it, security groups and address pairs have no effect.",
            updateAllowed: true,
            support: { since: "5.0.0" },
          },
          qos_policy: {
            type: "string",
            description: "The QoS policy of the port, by name or ID.",
            updateAllowed: true,
            support: { since: "6.0.0" },
            constraints: [{ custom: "neutron.qos_policy" }],
          },
          propagate_uplink_status: {
            type: "boolean",
            description: "Whether the port goes down when its physical uplink goes down.",
            updateAllowed: true,
            support: { since: "15.0.0" },
          },
          no_fixed_ips: {
            type: "boolean",
            description: "Whether to leave the port without fixed IPs.",
            default: false,
            updateAllowed: true,
            support: { since: "16.0.0" },
          },
        },
      },
      subnet: {
        type: "string",
        description:
          "The subnet that gives the new port its IP address. With it, network may be left out.",
        support: { since: "5.0.0" },
      },
      floating_ip: {
        type: "string",
        description: "The floating IP for the port, by ID.",
        support: { since: "6.0.0" },
      },
      tag: {
        type: "string",
        description:
          "The tag of the interface, which the server can read in its metadata. Later changes have no effect.",
        support: { since: "9.0.0" },
      },
    },
  },
};
