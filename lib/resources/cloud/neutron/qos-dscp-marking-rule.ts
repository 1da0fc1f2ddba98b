import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronQosDscpMarkingRule: DeclaredType = {
  type: "OS::Neutron::QoSDscpMarkingRule",
  schema: {
    description:
      "A DSCP mark for the outgoing packets of the ports under a QoS policy. Usually only an administrator may create one.",
    support: { since: "7.0.0" },
    properties: {
      dscp_mark: {
        type: "integer",
        description: "The DSCP value to put in the packets.",
        required: true,
        updateAllowed: true,
        constraints: [
          {
            allowedValues: [
              0, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 46, 48, 56,
            ],
          },
        ],
      },
      policy: {
        type: "string",
        description: "The name or ID of the QoS policy to which this rule belongs.",
        required: true,
        constraints: [{ custom: "neutron.qos_policy" }],
      },
      tenant_id: { type: "string", description: "The ID of the project that owns this rule." },
    },
    attributes: {},
  },
};
