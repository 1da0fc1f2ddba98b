import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const keystoneEndpoint: DeclaredType = {
  type: "OS::Keystone::Endpoint",
  schema: {
    description: "A URL in the Keystone catalog where clients reach a service.",
    support: { since: "5.0.0", message: "Supported versions: keystone v3" },
    templateName: "KeystoneEndpoint",
    properties: {
      name: { type: "string", description: "The name of the endpoint.", updateAllowed: true },
      region: {
        type: "string",
        description: "The region, by name or ID.",
        updateAllowed: true,
        constraints: [{ custom: "keystone.region" }],
      },
      service: {
        type: "string",
        description: "The service, by name or ID.",
        required: true,
        updateAllowed: true,
        constraints: [{ custom: "keystone.service" }],
      },
      interface: {
        type: "string",
        description: "The audience of the endpoint: everyone, other services or administrators.",
        required: true,
        updateAllowed: true,
        constraints: [{ allowedValues: ["public", "internal", "admin"] }],
      },
      url: {
        type: "string",
        description: "The URL of the endpoint.",
        required: true,
        updateAllowed: true,
      },
      enabled: {
        type: "boolean",
        description: "Whether the endpoint is enabled.",
        default: true,
        updateAllowed: true,
        support: { since: "6.0.0" },
      },
    },
    attributes: {},
  },
};
