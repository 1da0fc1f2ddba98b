import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronQosMinimumBandwidthRule: DeclaredType = {
  type: "OS::Neutron::QoSMinimumBandwidthRule",
  schema: {
    description:
      "A guarantee of bandwidth for the ports under a QoS policy. Usually only an administrator may create one.",
    support: { since: "14.0.0" },
    properties: {
      min_kbps: {
        type: "integer",
        description: "The guaranteed rate, in kilobits per second.",
        required: true,
        updateAllowed: true,
        constraints: [{ range: { min: 0 } }],
      },
      direction: {
        type: "string",
        description: "The direction of the traffic, as the port sees it.",
        default: "egress",
        updateAllowed: true,
        constraints: [{ allowedValues: ["egress", "ingress"] }],
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
