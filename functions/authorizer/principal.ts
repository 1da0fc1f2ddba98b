import * as z from "zod";
import { TENANT } from "#lib/api/tenant.ts";

/**
 * The base path of requests that are signed with IAM credentials. The gateway accepts no others
 * there.
 */
export const IAM_BASE = "/iam";

const ROLE = /^arn:(aws[a-z-]*):iam::(\d{12}):role\/(?:[!-~]+\/)?([\w+=,.@-]+)$/;
/** The ARN of an assumed role lacks the role's path. The caller chooses its session name. */
const ASSUMED_ROLE = /^arn:(aws[a-z-]*):sts::(\d{12}):assumed-role\/([\w+=,.@-]+)\/[\w+=,.@-]+$/;
const USER = /^arn:(aws[a-z-]*):iam::(\d{12}):user\/(?:[!-~]+\/)?([\w+=,.@-]+)$/;

/**
 * The ARN of a role or user without path and session. Names are unique within an account, whatever
 * their path.
 * @returns null for any other principal: the account, federated users, services
 */
export const principalOf = (arn: string): string | null => {
  const role = ROLE.exec(arn) ?? ASSUMED_ROLE.exec(arn);
  const [, partition, account, name] = role ?? USER.exec(arn) ?? [];
  if (name === undefined) return null;
  return `arn:${partition}:iam::${account}:${role ? "role" : "user"}/${name}`;
};

const project = z.string().regex(TENANT, "the name of a project is expected");

export const iamTenantsSchema = z.record(z.string(), project).transform((given, context) => {
  const tenants = new Map<string, string>();
  for (const [arn, tenant] of Object.entries(given)) {
    const principal = arn.includes(":assumed-role/") ? null : principalOf(arn);
    if (principal === null || tenants.has(principal)) {
      const wrong = principal === null ? "is neither a role nor a user" : "is named twice";
      context.addIssue({ code: "custom", message: `${arn} ${wrong}` });
    } else tenants.set(principal, tenant);
  }
  return Object.fromEntries(tenants);
});
