import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const keystoneProject: DeclaredType = {
  type: "OS::Keystone::Project",
  schema: {
    description:
      "A Keystone project. It owns servers, volumes, networks and the like, and has its own quotas.",
    support: { since: "2015.1", message: "Supported versions: keystone v3" },
    templateName: "KeystoneProject",
    properties: {
      name: { type: "string", description: "The name of the project.", updateAllowed: true },
      domain: {
        type: "string",
        description: "The domain of the project, by name or ID.",
        default: "default",
        updateAllowed: true,
        constraints: [{ custom: "keystone.domain" }],
      },
      description: {
        type: "string",
        description: "The description of the project.",
        default: "",
        updateAllowed: true,
      },
      enabled: {
        type: "boolean",
        description: "Whether the project is enabled.",
        default: true,
        updateAllowed: true,
      },
      parent: {
        type: "string",
        description: "The parent of the project, by name or ID.",
        support: { since: "6.0.0" },
        constraints: [{ custom: "keystone.project" }],
      },
      tags: {
        type: "list",
        description: "The tags of the project.",
        default: [],
        updateAllowed: true,
        support: { since: "10.0.0" },
      },
    },
    attributes: {
      name: {
        description: "The name of the project.",
        type: "string",
        support: { since: "10.0.0" },
      },
      parent_id: {
        description: "The ID of the parent of the project.",
        type: "string",
        support: { since: "10.0.0" },
      },
      domain_id: {
        description: "The ID of the domain of the project.",
        type: "string",
        support: { since: "10.0.0" },
      },
      enabled: {
        description: "Whether the project is enabled.",
        type: "boolean",
        support: { since: "10.0.0" },
      },
      is_domain: {
        description: "Whether the project is also a domain.",
        type: "boolean",
        support: { since: "10.0.0" },
      },
    },
  },
};
