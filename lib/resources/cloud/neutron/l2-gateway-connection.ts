import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronL2GatewayConnection: DeclaredType = {
  type: "OS::Neutron::L2GatewayConnection",
  schema: {
    description: "A link from a network to an L2 gateway.",
    support: { since: "12.0.0" },
    properties: {
      l2_gateway_id: { type: "string", description: "The ID of the L2 gateway.", required: true },
      network_id: {
        type: "string",
        description: "The ID of the network to connect.",
        required: true,
        constraints: [{ custom: "neutron.network" }],
      },
      segmentation_id: {
        type: "string",
        description: "The segmentation ID of the network on the gateway, such as a VLAN ID.",
      },
    },
    attributes: {},
  },
};
