import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const cinderQosSpecs: DeclaredType = {
  type: "OS::Cinder::QoSSpecs",
  schema: {
    description:
      "A named set of speed limits for the Cinder volumes of the types associated with it. Needs administrator rights.",
    support: { since: "7.0.0" },
    properties: {
      name: { type: "string", description: "The name of the QoS specs." },
      specs: {
        type: "map",
        description: "The limits as key-value pairs, such as total_iops_sec.",
        required: true,
        updateAllowed: true,
      },
    },
    attributes: {},
  },
};
