import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { networkGatewayProblem } from "./network-gateway-checks.ts";

export const neutronNetworkGateway: DeclaredType = {
  type: "OS::Neutron::NetworkGateway",
  schema: {
    description:
      "A gateway that connects Neutron networks to a physical network through gateway devices.",
    support: { since: "2014.1" },
    properties: {
      name: {
        type: "string",
        description: "The name of this network gateway.",
        updateAllowed: true,
      },
      devices: {
        type: "list",
        description: "The devices that form this gateway.",
        required: true,
        updateAllowed: true,
        constraints: [{ length: { min: 1 } }],
        items: {
          type: "map",
          schema: {
            id: { type: "string", description: "The ID of the device.", required: true },
            interface_name: {
              type: "string",
              description: "The name of the interface.",
              required: true,
            },
          },
        },
      },
      connections: {
        type: "list",
        description: "The networks that this gateway connects.",
        default: {},
        updateAllowed: true,
        items: {
          type: "map",
          schema: {
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
              description: "The name or ID of the network to connect.",
              required: true,
              support: { since: "2014.2" },
              constraints: [{ custom: "neutron.network" }],
            },
            segmentation_type: {
              type: "string",
              description: "How traffic is separated on the gateway's external side.",
              default: "flat",
              constraints: [{ allowedValues: ["flat", "vlan"] }],
            },
            segmentation_id: {
              type: "integer",
              description: "The VLAN ID on the gateway's external side. The type vlan needs one.",
              constraints: [{ range: { min: 0, max: 4094 } }],
            },
          },
        },
      },
    },
    translations: [{ replace: ["connections", "network"], by: { sibling: "network_id" } }],
    attributes: {
      default: {
        description: "Whether this is the project's default network gateway.",
        type: "string",
      },
    },
    validate: networkGatewayProblem,
  },
};
