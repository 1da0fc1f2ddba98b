import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const cinderQosAssociation: DeclaredType = {
  type: "OS::Cinder::QoSAssociation",
  schema: {
    description:
      "A link between QoS specs and the Cinder volume types that they apply to. Needs administrator rights.",
    support: { since: "8.0.0" },
    properties: {
      qos_specs: {
        type: "string",
        description: "The QoS specs, by name or ID.",
        required: true,
        constraints: [{ custom: "cinder.qos_specs" }],
      },
      volume_types: {
        type: "list",
        description: "The volume types that get the QoS specs.",
        required: true,
        updateAllowed: true,
        items: {
          type: "string",
          description: "A volume type, by name or ID.",
          constraints: [{ custom: "cinder.vtype" }],
        },
      },
    },
    attributes: {},
  },
};
