import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronQosBandwidthLimitRule: DeclaredType = {
  type: "OS::Neutron::QoSBandwidthLimitRule",
  schema: {
    description:
      "A limit on the bandwidth of the ports under a QoS policy. Usually only an administrator may create one.",
    support: { since: "6.0.0" },
    properties: {
      max_kbps: {
        type: "integer",
        description: "The highest rate, in kilobits per second.",
        required: true,
        updateAllowed: true,
        constraints: [{ range: { min: 0 } }],
      },
      max_burst_kbps: {
        type: "integer",
        description: "The largest burst, in kilobits.",
        default: 0,
        updateAllowed: true,
        constraints: [{ range: { min: 0 } }],
      },
      direction: {
        type: "string",
        description: "The direction of the traffic, as the port sees it.",
        default: "egress",
        updateAllowed: true,
        support: { since: "13.0.0" },
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
