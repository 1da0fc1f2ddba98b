import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { refuseRoles } from "./role-checks.ts";

export const keystoneGroupRoleAssignment: DeclaredType = {
  type: "OS::Keystone::GroupRoleAssignment",
  schema: {
    description: "Roles on projects and domains for an existing Keystone group.",
    support: { since: "5.0.0", message: "Supported versions: keystone v3" },
    templateName: "KeystoneGroupRoleAssignment",
    properties: {
      group: {
        type: "string",
        description: "The group, by name or ID.",
        required: true,
        updateAllowed: true,
        constraints: [{ custom: "keystone.group" }],
      },
      roles: {
        type: "list",
        description: "The roles that the group has on projects and domains.",
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
