import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronRouterGateway: DeclaredType = {
  type: "OS::Neutron::RouterGateway",
  schema: {
    description:
      "A router's gateway to an external network. Use the external_gateway_info property of OS::Neutron::Router instead.",
    support: {
      status: "HIDDEN",
      since: "5.0.0",
      message:
        "Use the `external_gateway_info` property in the router resource to set up the gateway.",
      previous: { status: "DEPRECATED", since: "2014.1" },
    },
    properties: {
      router_id: {
        type: "string",
        description: "The ID of the router that gets the gateway.",
        required: true,
        constraints: [{ custom: "neutron.router" }],
      },
      network_id: {
        type: "string",
        support: {
          status: "HIDDEN",
          since: "9.0.0",
          message: "Use property network.",
          previous: { status: "DEPRECATED", since: "2014.2" },
        },
        constraints: [{ custom: "neutron.network" }],
      },
      network: {
        type: "string",
        description: "The name or ID of the external network.",
        constraints: [{ custom: "neutron.network" }],
      },
    },
    translations: [{ replace: ["network"], by: { property: ["network_id"] } }],
    attributes: {},
  },
};
