import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { refuseRoles } from "./role-checks.ts";

export const keystoneUser: DeclaredType = {
  type: "OS::Keystone::User",
  schema: {
    description: "An account in a Keystone domain, for a person or a program that calls the API.",
    support: { since: "2015.1", message: "Supported versions: keystone v3" },
    templateName: "KeystoneUser",
    properties: {
      name: { type: "string", description: "The name of the user.", updateAllowed: true },
      domain: {
        type: "string",
        description: "The domain of the user, by name or ID.",
        default: "default",
        updateAllowed: true,
        constraints: [{ custom: "keystone.domain" }],
      },
      description: {
        type: "string",
        description: "The description of the user.",
        default: "",
        updateAllowed: true,
      },
      enabled: {
        type: "boolean",
        description: "Whether the user is enabled.",
        default: true,
        updateAllowed: true,
      },
      email: { type: "string", description: "The email address of the user.", updateAllowed: true },
      password: { type: "string", description: "The user's password.", updateAllowed: true },
      default_project: {
        type: "string",
        description: "The default project of the user, by name or ID.",
        updateAllowed: true,
        constraints: [{ custom: "keystone.project" }],
      },
      groups: {
        type: "list",
        description: "The groups that the user belongs to.",
        updateAllowed: true,
        items: {
          type: "string",
          description: "A group, by name or ID.",
          constraints: [{ custom: "keystone.group" }],
        },
      },
      roles: {
        type: "list",
        description: "The roles that the user has on projects and domains.",
        updateAllowed: true,
        items: {
          type: "map",
          description: "A role on one project or one domain.",
          schema: {
            role: {
              type: "string",
              description: "The role, by name or ID.",
              required: true,
              constraints: [{ custom: "keystone.role" }],
            },
            project: {
              type: "string",
              description: "The project that the role applies to, by name or ID.",
              constraints: [{ custom: "keystone.project" }],
            },
            domain: {
              type: "string",
              description: "The domain that the role applies to, by name or ID.",
              constraints: [{ custom: "keystone.domain" }],
            },
          },
        },
      },
    },
    attributes: {
      name: { description: "The name of the user.", type: "string", support: { since: "9.0.0" } },
      default_project_id: {
        description: "The ID of the default project of the user.",
        type: "string",
        support: { since: "9.0.0" },
      },
      domain_id: {
        description: "The ID of the domain of the user.",
        type: "string",
        support: { since: "9.0.0" },
      },
      enabled: {
        description: "Whether the user is enabled.",
        type: "boolean",
        support: { since: "9.0.0" },
      },
      password_expires_at: {
        description: "The time when the password of the user expires.",
        type: "string",
        support: { since: "9.0.0" },
      },
    },
    validate: refuseRoles,
  },
};
