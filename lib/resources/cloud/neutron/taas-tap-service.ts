import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronTaasTapService: DeclaredType = {
  type: "OS::Neutron::TaaS::TapService",
  schema: {
    description:
      "A port that receives the copied traffic of tap flows. Neutron must have tap-as-a-service.",
    support: { since: "12.0.0" },
    properties: {
      name: {
        type: "string",
        description: "The name of this tap service.",
        default: "",
        updateAllowed: true,
      },
      description: {
        type: "string",
        description: "A description of this tap service.",
        default: "",
        updateAllowed: true,
      },
      port: {
        type: "string",
        description: "The name or ID of the port that receives the copied traffic.",
        required: true,
        constraints: [{ custom: "neutron.port" }],
      },
    },
    attributes: {},
  },
};
