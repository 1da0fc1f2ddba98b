import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { providerNetProblem } from "./provider-net-checks.ts";

export const neutronProviderNet: DeclaredType = {
  type: "OS::Neutron::ProviderNet",
  schema: {
    description:
      "A network with details of how it maps to the physical network. Usually only an administrator may create one.",
    support: { since: "2014.1" },
    properties: {
      name: { type: "string", description: "The name of this network.", updateAllowed: true },
      network_type: {
        type: "string",
        description: "The kind of physical network behind this network.",
        required: true,
        updateAllowed: true,
        constraints: [{ allowedValues: ["local", "vlan", "vxlan", "gre", "geneve", "flat"] }],
      },
      physical_network: {
        type: "string",
        description: "The name of the physical network behind this network.",
        updateAllowed: true,
      },
      segmentation_id: {
        type: "string",
        description: "The ID of this network on the physical network, such as a VLAN ID.",
        updateAllowed: true,
      },
      admin_state_up: {
        type: "boolean",
        description: "Whether this network is administratively up.",
        default: true,
        updateAllowed: true,
      },
      shared: {
        type: "boolean",
        description: "Whether all projects may use this network.",
        default: true,
        updateAllowed: true,
      },
      port_security_enabled: {
        type: "boolean",
        description:
          "Whether new ports on this network have port security, unless they say otherwise.",
        updateAllowed: true,
        support: { since: "8.0.0" },
      },
      router_external: {
        type: "boolean",
        description:
          "Whether this network is external, so that routers can use it for their gateways.",
        default: false,
        updateAllowed: true,
        support: { since: "6.0.0" },
      },
      tags: {
        type: "list",
        description: "The tags to put on this network.",
        updateAllowed: true,
        support: { since: "12.0.0" },
        items: { type: "string" },
      },
      dns_domain: {
        type: "string",
        description: "The DNS domain for the names of this network's ports.",
        updateAllowed: true,
        support: { since: "15.0.0" },
        constraints: [{ custom: "dns_domain" }],
      },
      availability_zone_hints: {
        type: "list",
        description:
          "The availability zones where Neutron may place this network. Neutron must have the availability_zone extension.",
        updateAllowed: true,
        support: { since: "19.0.0" },
      },
      tenant_id: {
        type: "string",
        description:
          "The ID of the project that owns this network. Only an administrator may choose another project.",
        support: { since: "24.0.0" },
      },
    },
    attributes: {
      status: {
        description: "The status of this network, such as ACTIVE or DOWN.",
        type: "string",
      },
      subnets: { description: "The IDs of the subnets on this network.", type: "list" },
      segments: {
        description: "The segments that make up this network, with their details.",
        type: "list",
        support: { since: "16.0.0" },
      },
    },
    validate: providerNetProblem,
  },
};
