import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const keystoneRole: DeclaredType = {
  type: "OS::Keystone::Role",
  schema: {
    description:
      "A named set of rights in Keystone. Users and groups get it on a project or domain.",
    support: { since: "2015.1", message: "Supported versions: keystone v3" },
    templateName: "KeystoneRole",
    properties: {
      name: { type: "string", description: "The name of the role.", updateAllowed: true },
      domain: {
        type: "string",
        description: "The domain of the role, by name or ID.",
        support: { since: "16.0.0" },
        constraints: [{ custom: "keystone.domain" }],
      },
    },
    attributes: {},
  },
};
