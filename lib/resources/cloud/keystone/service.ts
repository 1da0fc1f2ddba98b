import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const keystoneService: DeclaredType = {
  type: "OS::Keystone::Service",
  schema: {
    description: "A service in the Keystone catalog. Its endpoints say where clients reach it.",
    support: { since: "5.0.0", message: "Supported versions: keystone v3" },
    templateName: "KeystoneService",
    properties: {
      name: { type: "string", description: "The name of the service.", updateAllowed: true },
      description: {
        type: "string",
        description: "The description of the service.",
        updateAllowed: true,
      },
      type: {
        type: "string",
        description: "The type of the service, such as compute or image.",
        required: true,
        updateAllowed: true,
      },
      enabled: {
        type: "boolean",
        description: "Whether the service is enabled.",
        default: true,
        updateAllowed: true,
        support: { since: "6.0.0" },
      },
    },
    attributes: {},
  },
};
