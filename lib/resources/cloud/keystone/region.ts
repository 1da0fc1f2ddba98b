import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const keystoneRegion: DeclaredType = {
  type: "OS::Keystone::Region",
  schema: {
    description: "A part of the cloud in the Keystone catalog. Endpoints belong to regions.",
    support: { since: "6.0.0", message: "Supported versions: keystone v3" },
    templateName: "KeystoneRegion",
    properties: {
      id: {
        type: "string",
        description: "The ID of the region, unique in the cloud. It is URL-encoded before use.",
      },
      parent_region: {
        type: "string",
        description: "The parent of the region, by ID.",
        updateAllowed: true,
        constraints: [{ custom: "keystone.region" }],
      },
      description: {
        type: "string",
        description: "The description of the region.",
        updateAllowed: true,
      },
      enabled: {
        type: "boolean",
        description: "Whether the region is enabled.",
        default: true,
        updateAllowed: true,
      },
    },
    attributes: {},
  },
};
