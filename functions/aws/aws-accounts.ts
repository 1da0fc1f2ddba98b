/**
 * `AWS::*` types for functions that visit resources: each project acts in its account, under its
 * role. The clients of AWS are loaded and opened at a project's first call, because most messages
 * need none.
 */
import type { Clock } from "#lib/ports/clock.ts";
import type { ProvidedTypes } from "#lib/resources/registry.ts";
import { openAccount } from "#providers/cloud-control/account/aws-account.ts";
import { type Accounts, type CloudControl, NoRole } from "#providers/cloud-control/client.ts";
import type { AwsRoles } from "./aws-roles.ts";
import { awsTypesOf } from "./aws-schemas.ts";

/** `stage` is in the name of each session, so that CloudTrail tells deployments apart. */
export const accountsUnder = (roles: AwsRoles, stage: string): Accounts => {
  const opened = new Map<string, Promise<CloudControl>>();
  return (project) => {
    const role = Object.hasOwn(roles, project) ? roles[project] : undefined;
    if (role === undefined) {
      throw new NoRole(
        `The project ${project} has no role in AWS, so nothing was changed there. Its operator names one in the setting awsRoles, and deploys again.`,
      );
    }
    const account = opened.get(project) ?? openAccount(`${stage}-${project}`, role);
    opened.set(project, account);
    return account;
  };
};

const NEEDS_ROLES =
  "AWS's types need the setting awsRoles, which this deployment does not have any more.";

/** Without a role of any project there are no such types, and what was made with them says so. */
export const awsAccounts = (roles: AwsRoles, stage: string, clock: Clock): ProvidedTypes =>
  Object.keys(roles).length === 0
    ? { types: [], whyMissing: (type) => (type.startsWith("AWS::") ? NEEDS_ROLES : null) }
    : awsTypesOf(accountsUnder(roles, stage), clock);
