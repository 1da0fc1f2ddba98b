import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronPortChain: DeclaredType = {
  type: "OS::Neutron::PortChain",
  schema: {
    description:
      "A path of service functions for selected traffic. Port pair groups are its steps, and flow classifiers select the traffic.",
    support: { status: "UNSUPPORTED", since: "8.0.0" },
    properties: {
      name: { type: "string", description: "The name of this port chain.", updateAllowed: true },
      description: {
        type: "string",
        description: "A description of this port chain.",
        updateAllowed: true,
      },
      port_pair_groups: {
        type: "list",
        description: "The port pair groups that the traffic passes through, in order.",
        required: true,
        updateAllowed: true,
        items: {
          type: "string",
          description: "The name or ID of a port pair group.",
          constraints: [{ custom: "neutron.port_pair_group" }],
        },
      },
      flow_classifiers: {
        type: "list",
        description: "The flow classifiers that select the traffic of this port chain.",
        default: [],
        updateAllowed: true,
        items: {
          type: "string",
          description: "The name or ID of a flow classifier.",
          constraints: [{ custom: "neutron.flow_classifier" }],
        },
      },
      chain_parameters: {
        type: "map",
        description:
          "Settings of this port chain, such as the protocol that marks its traffic (correlation).",
        default: { correlation: "mpls" },
      },
    },
    attributes: {},
  },
};
