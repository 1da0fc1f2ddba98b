import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronQosPolicy: DeclaredType = {
  type: "OS::Neutron::QoSPolicy",
  schema: {
    description:
      "A set of rules for the quality of service of ports and networks. Usually only an administrator may create one.",
    support: { since: "6.0.0" },
    properties: {
      name: { type: "string", description: "The name of this QoS policy.", updateAllowed: true },
      description: {
        type: "string",
        description: "A description of this QoS policy.",
        updateAllowed: true,
      },
      shared: {
        type: "boolean",
        description: "Whether all projects may use this QoS policy.",
        default: false,
        updateAllowed: true,
      },
      tenant_id: {
        type: "string",
        description: "The ID of the project that owns this QoS policy.",
      },
    },
    attributes: {
      rules: { description: "The rules of this QoS policy, with their details.", type: "list" },
    },
  },
};
