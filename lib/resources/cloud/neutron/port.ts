import { propertyConflict } from "#lib/errors.ts";
import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { isTrue, reads } from "#lib/resources/cloud/given-values.ts";
import { member } from "#lib/template/json-shape.ts";

export const neutronPort: DeclaredType = {
  type: "OS::Neutron::Port",
  schema: {
    description:
      "A connection point on a network for a server or another device. It holds the MAC and IP addresses of the device's interface.",
    properties: {
      name: { type: "string", description: "The name of this port.", updateAllowed: true },
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
        description:
          "The name or ID of the network to which this port belongs. For use with a floating IP, name the subnet in fixed_ips.",
        required: true,
        support: { since: "2014.2" },
        constraints: [{ custom: "neutron.network" }],
      },
      device_id: {
        type: "string",
        description: "The ID of the device that uses this port, such as a server.",
        default: "",
        updateAllowed: true,
      },
      device_owner: {
        type: "string",
        description: "The kind of device that uses this port, such as network:dhcp.",
        default: "",
        updateAllowed: true,
      },
      fixed_ips: {
        type: "list",
        description: "The IP addresses to give this port.",
        updateAllowed: true,
        items: {
          type: "map",
          schema: {
            subnet_id: {
              type: "string",
              support: {
                status: "HIDDEN",
                since: "5.0.0",
                message: "Use property subnet.",
                previous: { status: "DEPRECATED", since: "2014.2 " },
              },
              constraints: [{ custom: "neutron.subnet" }],
            },
            subnet: {
              type: "string",
              description: "The name or ID of the subnet that provides the address.",
              support: { since: "2014.2" },
              constraints: [{ custom: "neutron.subnet" }],
            },
            ip_address: {
              type: "string",
              description: "The exact address to take from the subnet.",
              constraints: [{ custom: "ip_addr" }],
            },
          },
        },
      },
      security_groups: {
        type: "list",
        description: "The names or IDs of the security groups of this port.",
        updateAllowed: true,
      },
      replacement_policy: {
        type: "string",
        description:
          "Whether every update replaces this port, or changes it in place where possible. It is obsolete.",
        default: "AUTO",
        updateAllowed: true,
        support: {
          status: "HIDDEN",
          since: "9.0.0",
          previous: {
            status: "DEPRECATED",
            since: "6.0.0",
            message:
              "Replacement policy used to work around flawed nova/neutron port interaction which has been fixed since Liberty.",
            previous: { since: "2014.2" },
          },
        },
        constraints: [{ allowedValues: ["REPLACE_ALWAYS", "AUTO"] }],
      },
      dns_name: {
        type: "string",
        description: "The DNS name of this port, without the domain.",
        updateAllowed: true,
        support: { since: "7.0.0" },
        constraints: [{ custom: "dns_name" }],
      },
      tags: {
        type: "list",
        description: "The tags to put on this port.",
        updateAllowed: true,
        support: { since: "9.0.0" },
        items: { type: "string" },
      },
      value_specs: {
        type: "map",
        description:
          "Further fields to send to Neutron in the request. Extensions and drivers define them.",
        default: {},
        updateAllowed: true,
      },
      admin_state_up: {
        type: "boolean",
        description: "Whether this port is administratively up.",
        default: true,
        updateAllowed: true,
      },
      mac_address: {
        type: "string",
        description: "The MAC address of this port. Usually only an administrator may change it.",
        constraints: [{ custom: "mac_addr" }],
      },
      allowed_address_pairs: {
        type: "list",
        description: "Further MAC and IP addresses that may pass through this port.",
        updateAllowed: true,
        items: {
          type: "map",
          schema: {
            mac_address: {
              type: "string",
              description: "The MAC address that may pass.",
              constraints: [{ custom: "mac_addr" }],
            },
            ip_address: {
              type: "string",
              description: "The IP address, or network in CIDR notation, that may pass.",
              required: true,
              constraints: [{ custom: "ip_or_cidr" }],
            },
          },
        },
      },
      "binding:vnic_type": {
        type: "string",
        description:
          "The kind of network interface behind this port, such as direct for SR-IOV. Neutron must have the binding extension.",
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
          "Whether Neutron filters the traffic of this port by security groups and allowed addresses.",
        updateAllowed: true,
        support: { since: "5.0.0" },
      },
      qos_policy: {
        type: "string",
        description: "The name or ID of the QoS policy of this port.",
        updateAllowed: true,
        support: { since: "6.0.0" },
        constraints: [{ custom: "neutron.qos_policy" }],
      },
      propagate_uplink_status: {
        type: "boolean",
        description: "Whether this port shows the link state of the physical port behind it.",
        updateAllowed: true,
        support: { since: "15.0.0" },
      },
      no_fixed_ips: {
        type: "boolean",
        description: "Whether to leave this port without IP addresses.",
        default: false,
        updateAllowed: true,
        support: { since: "16.0.0" },
      },
    },
    translations: [
      { replace: ["network"], by: { property: ["network_id"] } },
      { replace: ["fixed_ips", "subnet"], by: { sibling: "subnet_id" } },
    ],
    attributes: {
      admin_state_up: { description: "Whether this port is administratively up.", type: "string" },
      device_id: {
        description: "The ID of the device that uses this port, such as a server.",
        type: "string",
      },
      device_owner: {
        description: "The kind of device that uses this port, such as network:dhcp.",
        type: "string",
      },
      fixed_ips: {
        description: "The IP addresses of this port, with the IDs of their subnets.",
        type: "list",
      },
      mac_address: { description: "The MAC address of this port.", type: "string" },
      name: { description: "The name of this port.", type: "string" },
      network_id: {
        description: "The ID of the network to which this port belongs.",
        type: "string",
      },
      security_groups: {
        description: "The IDs of the security groups of this port.",
        type: "list",
      },
      status: { description: "The status of this port, such as ACTIVE or DOWN.", type: "string" },
      tenant_id: { description: "The ID of the project that owns this port.", type: "string" },
      allowed_address_pairs: {
        description: "Further MAC and IP addresses that may pass through this port.",
        type: "list",
      },
      subnets: {
        description: "The subnets of this port's IP addresses, with their details.",
        type: "list",
      },
      port_security_enabled: {
        description:
          "Whether Neutron filters the traffic of this port by security groups and allowed addresses.",
        type: "boolean",
        support: { since: "5.0.0" },
      },
      qos_policy_id: {
        description: "The ID of the QoS policy of this port.",
        type: "string",
        support: { since: "6.0.0" },
      },
      dns_assignment: {
        description: "The DNS names of this port, with their IP addresses.",
        type: "map",
        support: { since: "7.0.0" },
      },
      network: {
        description: "The network to which this port belongs, with its details.",
        type: "map",
        support: { since: "11.0.0" },
      },
      propagate_uplink_status: {
        description: "Whether this port shows the link state of the physical port behind it.",
        type: "boolean",
        support: { since: "15.0.0" },
      },
    },
    isReplacedByUpdate: (after) => member(after, "replacement_policy") === "REPLACE_ALWAYS",
    validate: (given) => {
      reads(given, "value_specs", "fixed_ips", "no_fixed_ips");
      return isTrue(given, "fixed_ips") && isTrue(given, "no_fixed_ips")
        ? propertyConflict("fixed_ips", "no_fixed_ips")
        : null;
    },
  },
};
