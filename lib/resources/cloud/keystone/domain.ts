import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const keystoneDomain: DeclaredType = {
  type: "OS::Keystone::Domain",
  schema: {
    description: "A Keystone domain. It is a namespace for projects, users and groups.",
    support: { since: "8.0.0", message: "Supported versions: keystone v3" },
    templateName: "KeystoneDomain",
    properties: {
      name: { type: "string", description: "The domain's name.", updateAllowed: true },
      description: {
        type: "string",
        description: "The description of the domain.",
        updateAllowed: true,
      },
      enabled: {
        type: "boolean",
        description: "Whether the domain is enabled.",
        default: true,
        updateAllowed: true,
      },
    },
    attributes: {},
  },
};
