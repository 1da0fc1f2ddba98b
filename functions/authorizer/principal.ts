/** IAM principals, written in one way however AWS writes them, and whose project each may work on. */
import * as z from "zod";

/** Where requests that are signed with IAM credentials come in: the gateway lets no others in there. */
export const IAM_BASE = "/iam";

const ROLE = /^arn:(aws[a-z-]*):iam::(\d{12}):role\/(?:[!-~]+\/)?([\w+=,.@-]+)$/;
/** What a caller who has assumed the role goes by: without the role's path, with a session name that the caller chose. */
const ASSUMED_ROLE = /^arn:(aws[a-z-]*):sts::(\d{12}):assumed-role\/([\w+=,.@-]+)\/[\w+=,.@-]+$/;
const USER = /^arn:(aws[a-z-]*):iam::(\d{12}):user\/(?:[!-~]+\/)?([\w+=,.@-]+)$/;

/**
 * A role or a user without path and session: names are unique within an account whatever their path.
 * Null for everything else (the account itself, federated users, services).
 */
export const principalOf = (arn: string): string | null => {
  const role = ROLE.exec(arn) ?? ASSUMED_ROLE.exec(arn);
  const [, partition, account, name] = role ?? USER.exec(arn) ?? [];
  if (name === undefined) return null;
  return `arn:${partition}:iam::${account}:${role ? "role" : "user"}/${name}`;
};

const project = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.@-]{0,254}$/, "the name of a project is expected");

/** From the ARN of a role or a user to its project; the keys are normalised. Throws for any other principal, and for one that is named twice. */
export const iamTenantsSchema = z.record(z.string(), project).transform((given, context) => {
  const tenants = new Map<string, string>();
  for (const [arn, tenant] of Object.entries(given)) {
    const principal = arn.includes(":assumed-role/") ? null : principalOf(arn);
    if (principal === null || tenants.has(principal)) {
      const wrong = principal === null ? "is no role and no user" : "is named twice";
      context.addIssue({ code: "custom", message: `${arn} ${wrong}` });
    } else tenants.set(principal, tenant);
  }
  return Object.fromEntries(tenants);
});
