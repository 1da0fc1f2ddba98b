import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const octaviaAvailabilityZoneProfile: DeclaredType = {
  type: "OS::Octavia::AvailabilityZoneProfile",
  schema: {
    description: "Settings of a provider for Octavia availability zones.",
    support: { since: "24.0.0" },
    properties: {
      name: { type: "string", description: "The name of the profile.", updateAllowed: true },
      availability_zone_data: {
        type: "string",
        description: "The settings, as a JSON object.",
        required: true,
        updateAllowed: true,
        constraints: [{ custom: "json_string" }],
      },
      provider_name: {
        type: "string",
        description: "The name of the provider that the settings are for.",
        updateAllowed: true,
      },
    },
    attributes: {},
  },
};
