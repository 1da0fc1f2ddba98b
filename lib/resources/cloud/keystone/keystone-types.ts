import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { keystoneDomain } from "./domain.ts";
import { keystoneEndpoint } from "./endpoint.ts";
import { keystoneGroup } from "./group.ts";
import { keystoneGroupRoleAssignment } from "./group-role-assignment.ts";
import { keystoneProject } from "./project.ts";
import { keystoneRegion } from "./region.ts";
import { keystoneRole } from "./role.ts";
import { keystoneService } from "./service.ts";
import { keystoneUser } from "./user.ts";
import { keystoneUserRoleAssignment } from "./user-role-assignment.ts";

export const KEYSTONE_TYPES: readonly DeclaredType[] = [
  keystoneDomain,
  keystoneEndpoint,
  keystoneGroup,
  keystoneGroupRoleAssignment,
  keystoneProject,
  keystoneRegion,
  keystoneRole,
  keystoneService,
  keystoneUser,
  keystoneUserRoleAssignment,
];
