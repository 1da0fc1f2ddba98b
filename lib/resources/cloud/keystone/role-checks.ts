/** A role is given on one project or on one domain. */
import * as z from "zod/mini";
import type { JsonObject } from "#lib/json.ts";
import type { Refusal } from "#lib/model/checked-definition.ts";
import { conflictOf } from "#lib/resources/cloud/refusals.ts";

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

export const refuseRoles = (given: JsonObject): Refusal | null => {
  for (const { role, project, domain } of rolesSchema.parse(given["roles"])) {
    if (project !== undefined && domain !== undefined) return conflictOf("project", "domain");
    if (project === undefined && domain === undefined) {
      return `Either project or domain must be specified for role ${role}`;
    }
  }
  return null;
};
