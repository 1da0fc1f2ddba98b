import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { refuseRoles } from "./role-checks.ts";

export const keystoneGroup: DeclaredType = {
  type: "OS::Keystone::Group",
  schema: {
    description: "A set of users in a Keystone domain. Roles of the group apply to all its users.",
    support: { since: "2015.1", message: "Supported versions: keystone v3" },
    templateName: "KeystoneGroup",
    properties: {
      name: { type: "string", description: "The name of the group.", updateAllowed: true },
      domain: {
        type: "string",
        description: "The domain of the group, by name or ID.",
        default: "default",
        updateAllowed: true,
        constraints: [{ custom: "keystone.domain" }],
      },
      description: {
        type: "string",
        description: "The description of the group.",
        default: "",
        updateAllowed: true,
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
