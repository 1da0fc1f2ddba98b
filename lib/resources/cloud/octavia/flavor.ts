import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const octaviaFlavor: DeclaredType = {
  type: "OS::Octavia::Flavor",
  schema: {
    description: "An Octavia flavor: a kind of load balancer that users can choose.",
    support: { since: "14.0.0" },
    properties: {
      description: {
        type: "string",
        description: "The description of the flavor.",
        default: "",
        updateAllowed: true,
      },
      enabled: {
        type: "boolean",
        description: "Whether users can choose the flavor.",
        default: true,
        updateAllowed: true,
      },
      name: { type: "string", description: "The name of the flavor.", updateAllowed: true },
      flavor_profile: {
        type: "string",
        description: "The profile of the flavor, by ID or name.",
        required: true,
        constraints: [{ custom: "octavia.flavorprofile" }],
      },
    },
    attributes: {
      flavor_profile_id: { description: "The ID of the profile of the flavor.", type: "string" },
    },
  },
};
