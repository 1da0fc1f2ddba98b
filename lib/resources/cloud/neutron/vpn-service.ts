import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronVpnService: DeclaredType = {
  type: "OS::Neutron::VPNService",
  schema: {
    description: "A VPN endpoint on a router. It connects a subnet to remote sites.",
    properties: {
      name: { type: "string", description: "The name of this VPN service.", updateAllowed: true },
      description: {
        type: "string",
        description: "A description of this VPN service.",
        updateAllowed: true,
      },
      admin_state_up: {
        type: "boolean",
        description: "Whether this VPN service is administratively up.",
        default: true,
        updateAllowed: true,
      },
      subnet_id: {
        type: "string",
        support: {
          status: "HIDDEN",
          since: "5.0.0",
          message: "Use property subnet.",
          previous: { status: "DEPRECATED", since: "2014.2" },
        },
        constraints: [{ custom: "neutron.subnet" }],
      },
      subnet: {
        type: "string",
        description: "The name or ID of the subnet to connect.",
        required: true,
        support: { since: "2014.2" },
        constraints: [{ custom: "neutron.subnet" }],
      },
      router_id: {
        type: "string",
        description: "The ID of the router that runs this VPN service. Use router instead.",
        support: {
          status: "HIDDEN",
          since: "6.0.0",
          previous: {
            status: "DEPRECATED",
            since: "2015.1",
            message: "Use property router",
            previous: { since: "2013.2" },
          },
        },
        constraints: [{ custom: "neutron.router" }],
      },
      router: {
        type: "string",
        description: "The name or ID of the router that runs this VPN service.",
        required: true,
        support: { since: "2015.1" },
        constraints: [{ custom: "neutron.router" }],
      },
    },
    translations: [
      { replace: ["subnet"], by: { property: ["subnet_id"] } },
      { replace: ["router"], by: { property: ["router_id"] } },
    ],
    attributes: {
      admin_state_up: {
        description: "Whether this VPN service is administratively up.",
        type: "string",
      },
      description: { description: "A description of this VPN service.", type: "string" },
      name: { description: "The name of this VPN service.", type: "string" },
      router_id: {
        description: "The ID of the router that runs this VPN service.",
        type: "string",
      },
      status: {
        description: "The status of this VPN service, such as ACTIVE or DOWN.",
        type: "string",
      },
      subnet_id: {
        description: "The ID of the subnet that this VPN service connects.",
        type: "string",
      },
      tenant_id: {
        description: "The ID of the project that owns this VPN service.",
        type: "string",
      },
    },
  },
};
