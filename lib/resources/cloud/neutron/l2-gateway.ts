import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronL2Gateway: DeclaredType = {
  type: "OS::Neutron::L2Gateway",
  schema: {
    description: "A gateway that bridges Neutron networks to physical networks at layer 2.",
    support: { since: "12.0.0" },
    properties: {
      name: {
        type: "string",
        description: "The name of this L2 gateway.",
        required: true,
        updateAllowed: true,
      },
      devices: {
        type: "list",
        description: "The devices that form this gateway.",
        required: true,
        updateAllowed: true,
        items: {
          type: "map",
          schema: {
            device_name: { type: "string", description: "The name of the device.", required: true },
            interfaces: {
              type: "list",
              description: "The interfaces of the device that the gateway uses.",
              required: true,
              items: {
                type: "map",
                schema: {
                  name: {
                    type: "string",
                    description: "The name of the interface.",
                    required: true,
                  },
                  segmentation_id: {
                    type: "list",
                    description:
                      "The segmentation IDs that the interface carries, such as VLAN IDs.",
                  },
                },
              },
            },
          },
        },
      },
    },
    attributes: {},
  },
};
