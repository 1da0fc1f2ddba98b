/**
 * Binds the ports of functions that visit resources and so call providers. It is a separate module,
 * so that no other function's bundle contains the AWS clients.
 */
import { awsAccounts } from "./aws-accounts.ts";
import { readAwsRoles } from "./aws-roles.ts";
import { bindEngine, type Engine } from "./bind-ports.ts";
import type { VisitingEnvironment } from "./environment.ts";

export const bindVisits = (environment: VisitingEnvironment): Promise<Engine> => {
  const roles = readAwsRoles(environment.AWS_ROLES);
  return bindEngine(environment, {
    provided: (clock) => awsAccounts(roles, environment.STAGE, clock),
    providerOf: ({ fakeProvider }) => fakeProvider,
  });
};
