import * as z from "zod/mini";
import { propertyConflict } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import type { ServiceRules } from "#lib/resources/cloud/declared-type.ts";

const rolesSchema = z._default(
  z.array(
    z.object({
      role: z.string(),
      project: z.optional(z.string()),
      domain: z.optional(z.string()),
    }),
  ),
  [],
);

const refuseRoles = (given: JsonObject): Problem => {
  for (const { role, project, domain } of rolesSchema.parse(given["roles"])) {
    if (project !== undefined && domain !== undefined) return propertyConflict("project", "domain");
    if (project === undefined && domain === undefined) {
      return `Either project or domain must be specified for role ${role}`;
    }
  }
  return null;
};

export const KEYSTONE_RULES: ServiceRules = {
  "OS::Keystone::GroupRoleAssignment": { validate: refuseRoles },
  "OS::Keystone::Group": { validate: refuseRoles },
  "OS::Keystone::UserRoleAssignment": { validate: refuseRoles },
  "OS::Keystone::User": { validate: refuseRoles },
};
