import { type DeclaredType, declaredTypes } from "#lib/resources/cloud/declared-type.ts";
import { refuseRoles } from "./role-checks.ts";
import types from "./types.json" with { type: "json" };

export const KEYSTONE_TYPES: readonly DeclaredType[] = declaredTypes(types, {
  "OS::Keystone::GroupRoleAssignment": { validate: refuseRoles },
  "OS::Keystone::Group": { validate: refuseRoles },
  "OS::Keystone::UserRoleAssignment": { validate: refuseRoles },
  "OS::Keystone::User": { validate: refuseRoles },
});
