import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const octaviaAvailabilityZone: DeclaredType = {
  type: "OS::Octavia::AvailabilityZone",
  schema: {
    description: "An Octavia availability zone: a place that users can choose for load balancers.",
    support: { since: "24.0.0" },
    properties: {
      description: {
        type: "string",
        description: "The description of the availability zone.",
        default: "",
        updateAllowed: true,
      },
      enabled: {
        type: "boolean",
        description: "Whether users can choose the availability zone.",
        default: true,
        updateAllowed: true,
      },
      name: {
        type: "string",
        description: "The name of the availability zone.",
        updateAllowed: true,
      },
      availability_zone_profile: {
        type: "string",
        description: "The profile of the availability zone, by ID or name.",
        required: true,
        constraints: [{ custom: "octavia.availabilityzoneprofile" }],
      },
    },
    attributes: {
      availability_zone_profile_id: {
        description: "The ID of the profile of the availability zone.",
        type: "string",
      },
    },
  },
};
