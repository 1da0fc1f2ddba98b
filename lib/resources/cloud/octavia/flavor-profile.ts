import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const octaviaFlavorProfile: DeclaredType = {
  type: "OS::Octavia::FlavorProfile",
  schema: {
    description: "Settings of a provider for Octavia flavors.",
    support: { since: "14.0.0" },
    properties: {
      name: { type: "string", description: "The name of the profile.", updateAllowed: true },
      flavor_data: {
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
