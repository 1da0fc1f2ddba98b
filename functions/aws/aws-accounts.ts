/**
 * Binds the ports of functions that visit resources and so call providers. It is a separate module,
 * so that no other function's bundle contains the AWS clients.
 */
import type { Clock } from "#lib/ports/ports.ts";
import type { ProvidedTypes } from "#lib/resources/registry.ts";
import { openAccount } from "#providers/cloud-control/account/aws-account.ts";
import type { Accounts, CloudControl } from "#providers/cloud-control/client.ts";
import { type AwsRoles, readAwsRoles, readOpenStackSecrets, roleOf } from "./aws-roles.ts";
import { awsTypesOf, boundServers } from "./aws-schemas.ts";
import { ec2Servers, ec2Under, openStackServers } from "./aws-servers.ts";
import { bindEngine, type Engine } from "./bind-ports.ts";
import type { VisitingEnvironment } from "./environment.ts";

export const bindVisits = (environment: VisitingEnvironment): Promise<Engine> => {
  const { STAGE, AWS_ROLES, OPENSTACK_SECRETS } = environment;
  const roles = readAwsRoles(AWS_ROLES);
  const secrets = readOpenStackSecrets(OPENSTACK_SECRETS);
  return bindEngine(environment, {
    provided: (clock, secretOf) => {
      const servers =
        ec2Servers(roles, ec2Under(roles, STAGE)) ?? openStackServers(secrets, secretOf, clock);
      return { ...awsAccounts(roles, STAGE, clock), ...boundServers(servers, clock) };
    },
    providerOf: ({ fakeProvider }) => fakeProvider,
  });
};

/** `stage` is part of each session's name, so that CloudTrail distinguishes deployments. */
export const accountsUnder = (roles: AwsRoles, stage: string): Accounts => {
  const opened = new Map<string, Promise<CloudControl>>();
  return (project) => {
    const role = roleOf(roles, project);
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
