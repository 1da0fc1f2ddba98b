import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronMeteringRule: DeclaredType = {
  type: "OS::Neutron::MeteringRule",
  schema: {
    description: "A range of addresses whose traffic a metering label counts or leaves out.",
    support: { since: "2014.1" },
    properties: {
      metering_label_id: {
        type: "string",
        description: "The ID of the metering label to which this rule belongs.",
        required: true,
      },
      remote_ip_prefix: {
        type: "string",
        description: "The remote addresses of the traffic, in CIDR notation.",
        required: true,
      },
      direction: {
        type: "string",
        description: "The direction of the traffic, as the router sees it.",
        default: "ingress",
        constraints: [{ allowedValues: ["ingress", "egress"] }],
      },
      excluded: {
        type: "boolean",
        description: "Whether to leave this traffic out of the count.",
        default: "False",
      },
    },
    attributes: {
      direction: {
        description: "The direction of the traffic, as the router sees it.",
        type: "string",
      },
      excluded: { description: "Whether to leave this traffic out of the count.", type: "string" },
      metering_label_id: {
        description: "The ID of the metering label to which this rule belongs.",
        type: "string",
      },
      remote_ip_prefix: {
        description: "The remote addresses of the traffic, in CIDR notation.",
        type: "string",
      },
    },
  },
};
