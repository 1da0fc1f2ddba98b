import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronTaasTapFlow: DeclaredType = {
  type: "OS::Neutron::TaaS::TapFlow",
  schema: {
    description:
      "A port whose traffic is copied to a tap service. Neutron must have tap-as-a-service.",
    support: { since: "12.0.0" },
    properties: {
      name: {
        type: "string",
        description: "The name of this tap flow.",
        default: "",
        updateAllowed: true,
      },
      description: {
        type: "string",
        description: "A description of this tap flow.",
        default: "",
        updateAllowed: true,
      },
      port: {
        type: "string",
        description: "The name or ID of the port whose traffic is copied.",
        required: true,
        constraints: [{ custom: "neutron.port" }],
      },
      tap_service: {
        type: "string",
        description: "The name or ID of the tap service that gets the copy.",
        required: true,
        constraints: [{ custom: "neutron.taas.tap_service" }],
      },
      direction: {
        type: "string",
        description: "The direction of the traffic, as the port sees it.",
        default: "BOTH",
        constraints: [{ allowedValues: ["IN", "OUT", "BOTH"] }],
      },
      vlan_filter: {
        type: "string",
        description:
          "The VLAN IDs of the traffic to copy, with commas between them. A hyphen between two IDs makes a range.",
        constraints: [{ allowedPattern: "^([0-9]+(-[0-9]+)?)(,([0-9]+(-[0-9]+)?))*$" }],
      },
    },
    attributes: {},
  },
};
