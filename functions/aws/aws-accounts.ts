/**
 * Binds the ports of functions that visit resources and so call providers. It is a separate module,
 * so that no other function's bundle contains the AWS clients.
 */
import type { Clock } from "#lib/ports/ports.ts";
import type { ProvidedTypes } from "#lib/resources/registry.ts";
import { openAccount } from "#providers/cloud-control/account/aws-account.ts";
import { type Accounts, type CloudControl, NoRole } from "#providers/cloud-control/client.ts";
import { type AwsRoles, readAwsRoles } from "./aws-roles.ts";
import { awsTypesOf } from "./aws-schemas.ts";
import { bindEngine, type Engine } from "./bind-ports.ts";
import type { VisitingEnvironment } from "./environment.ts";

export const bindVisits = (environment: VisitingEnvironment): Promise<Engine> => {
  const roles = readAwsRoles(environment.AWS_ROLES);
  return bindEngine(environment, {
    provided: (clock) => awsAccounts(roles, environment.STAGE, clock),
    providerOf: ({ fakeProvider }) => fakeProvider,
  });
};

/** `stage` is part of each session's name, so that CloudTrail distinguishes deployments. */
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

/**
 * `AWS::*` types for functions that visit resources. Each project acts in its own account, under
 * its role. The AWS clients are loaded at a project's first call, because most messages need none.
 * Without any role there are no `AWS::*` types, and an error for an existing resource says why.
 */
export const awsAccounts = (roles: AwsRoles, stage: string, clock: Clock): ProvidedTypes =>
  Object.keys(roles).length === 0
    ? { types: [], whyMissing: (type) => (type.startsWith("AWS::") ? NEEDS_ROLES : null) }
    : awsTypesOf(accountsUnder(roles, stage), clock);
