import { propertyDependency } from "#lib/errors.ts";
import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { isGiven, reads } from "#lib/resources/cloud/given-values.ts";

export const neutronFloatingIp: DeclaredType = {
  type: "OS::Neutron::FloatingIP",
  schema: {
    description:
      "An external IP address that can move from one port to another. It makes a server reachable from outside its network.",
    properties: {
      floating_network_id: {
        type: "string",
        support: {
          status: "HIDDEN",
          since: "5.0.0",
          message: "Use property floating_network.",
          previous: { status: "DEPRECATED", since: "2014.2" },
        },
        constraints: [{ custom: "neutron.network" }],
      },
      floating_network: {
        type: "string",
        description: "The name or ID of the external network that provides the address.",
        required: true,
        support: { since: "2014.2" },
        constraints: [{ custom: "neutron.network" }],
      },
      floating_subnet: {
        type: "string",
        description: "The name or ID of the subnet that provides the address.",
        support: { since: "9.0.0" },
        constraints: [{ custom: "neutron.subnet" }],
      },
      value_specs: {
        type: "map",
        description:
          "Further fields to send to Neutron in the request. Extensions and drivers define them.",
        default: {},
      },
      port_id: {
        type: "string",
        description:
          "The ID of the port to which the floating IP leads. The port must have a fixed IP address.",
        updateAllowed: true,
        constraints: [{ custom: "neutron.port" }],
      },
      fixed_ip_address: {
        type: "string",
        description: "The fixed IP address to use on a port that has several.",
        updateAllowed: true,
        constraints: [{ custom: "ip_addr" }],
      },
      floating_ip_address: {
        type: "string",
        description: "The exact address to allocate. Usually only an administrator may set it.",
        support: { since: "5.0.0" },
        constraints: [{ custom: "ip_addr" }],
      },
      dns_name: {
        type: "string",
        description: "The DNS name of this floating IP, without the domain.",
        updateAllowed: true,
        support: { since: "7.0.0" },
        constraints: [{ custom: "rel_dns_name" }],
      },
      dns_domain: {
        type: "string",
        description: "The DNS domain that holds the name of this floating IP.",
        updateAllowed: true,
        support: { since: "7.0.0" },
        constraints: [{ custom: "dns_domain" }],
      },
    },
    translations: [{ replace: ["floating_network"], by: { property: ["floating_network_id"] } }],
    attributes: {
      router_id: {
        description: "The ID of the router that translates between this floating IP and its port.",
        type: "string",
      },
      tenant_id: {
        description: "The ID of the project that owns this floating IP.",
        type: "string",
      },
      floating_network_id: {
        description: "The ID of the external network that provides the address.",
        type: "string",
      },
      fixed_ip_address: {
        description: "The fixed IP address to which this floating IP leads.",
        type: "string",
      },
      floating_ip_address: { description: "The address that Neutron allocated.", type: "string" },
      port_id: {
        description: "The ID of the port to which the floating IP leads.",
        type: "string",
      },
    },
    validate: (given) => {
      reads(given, "value_specs");
      return !isGiven(given, "port_id") && isGiven(given, "fixed_ip_address")
        ? propertyDependency("fixed_ip_address", "port_id")
        : null;
    },
  },
};
