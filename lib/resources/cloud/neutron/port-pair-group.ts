import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronPortPairGroup: DeclaredType = {
  type: "OS::Neutron::PortPairGroup",
  schema: {
    description: "A group of equivalent port pairs, over which a port chain spreads its traffic.",
    support: { status: "UNSUPPORTED", since: "8.0.0" },
    properties: {
      name: {
        type: "string",
        description: "The name of this port pair group.",
        updateAllowed: true,
      },
      description: {
        type: "string",
        description: "A description of this port pair group.",
        updateAllowed: true,
      },
      port_pairs: {
        type: "list",
        description: "The port pairs in this group.",
        required: true,
        updateAllowed: true,
        items: {
          type: "string",
          description: "The name or ID of a port pair.",
          constraints: [{ custom: "neutron.port_pair" }],
        },
      },
    },
    attributes: {},
  },
};
