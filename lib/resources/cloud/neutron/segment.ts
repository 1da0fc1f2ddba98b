import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { segmentProblem } from "./segment-checks.ts";

export const neutronSegment: DeclaredType = {
  type: "OS::Neutron::Segment",
  schema: {
    description:
      "A layer-2 part of a network. Usually only an administrator may create one. Neutron must have the segments extension.",
    support: { since: "9.0.0" },
    properties: {
      network: {
        type: "string",
        description: "The name or ID of the network to which this segment belongs.",
        required: true,
        constraints: [{ custom: "neutron.network" }],
      },
      network_type: {
        type: "string",
        description: "The kind of physical network behind this segment.",
        required: true,
        constraints: [{ allowedValues: ["local", "vlan", "vxlan", "gre", "geneve", "flat"] }],
      },
      physical_network: {
        type: "string",
        description: "The name of the physical network behind this segment.",
      },
      segmentation_id: {
        type: "integer",
        description: "The ID of this segment on the physical network, such as a VLAN ID.",
        constraints: [{ range: { min: 1 } }],
      },
      name: { type: "string", description: "The name of this segment.", updateAllowed: true },
      description: {
        type: "string",
        description: "A description of this segment.",
        updateAllowed: true,
      },
    },
    attributes: {},
    validate: segmentProblem,
  },
};
