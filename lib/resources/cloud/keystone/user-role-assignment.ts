import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { refuseRoles } from "./role-checks.ts";

export const keystoneUserRoleAssignment: DeclaredType = {
  type: "OS::Keystone::UserRoleAssignment",
  schema: {
    description: "Roles on projects and domains for an existing Keystone user.",
    support: { since: "5.0.0", message: "Supported versions: keystone v3" },
    templateName: "KeystoneUserRoleAssignment",
    properties: {
      user: {
        type: "string",
        description: "The user, by name or ID.",
        required: true,
        updateAllowed: true,
        constraints: [{ custom: "keystone.user" }],
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
    attributes: {},
    validate: refuseRoles,
  },
};
