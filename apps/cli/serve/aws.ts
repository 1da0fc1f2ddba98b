/** `hearth serve --aws FILE`: objects in AWS, in the account of each project's role. */

import { userDataWith } from "#providers/boot/ec2-user-data.ts";
import { openAccounts } from "#providers/cloud-control/account/aws-account.ts";
import { type Role, readRoles } from "#providers/cloud-control/account/roles.ts";
import { NoRole } from "#providers/cloud-control/client.ts";
import {
  type CloudControlProvider,
  cloudControlProvider,
} from "#providers/cloud-control/cloud-control.ts";
import type { Ec2Account } from "#providers/ec2/account.ts";
import { ec2Provider } from "#providers/ec2/ec2-provider.ts";
import { openEc2 } from "#providers/ec2/open-ec2.ts";
import { OperatorFileRefused } from "#providers/operator-file.ts";
import type { ServerProvider } from "#providers/server-provider.ts";
import { missingAwsPackage } from "../commands/aws.ts";
import { agentProgram } from "../packaged-files.ts";
import { operatorData } from "./clouds.ts";

const PACKAGES = "@aws-sdk/client-cloudcontrol @aws-sdk/client-sts";
const EC2_PACKAGE = "@aws-sdk/client-ec2";

const withPackages = async <Found>(packages: string, work: Promise<Found>): Promise<Found> => {
  try {
    return await work;
  } catch (error) {
    if (missingAwsPackage(error) === null) throw error;
    const text = `--aws needs more packages: npm install --global ${packages}`;
    throw new OperatorFileRefused(text, { cause: error });
  }
};

const accountIn =
  <Account>(accounts: ReadonlyMap<string, Account>, what: string) =>
  (tenant: string): Account => {
    const account = accounts.get(tenant);
    if (account !== undefined) return account;
    throw new NoRole(`The file of --aws names no ${what} for the project ${tenant}.`);
  };

/** @returns null when no project of the file has servers. The EC2 package is then not loaded. */
const serversOf = async (roles: ReadonlyMap<string, Role>): Promise<ServerProvider | null> => {
  const accounts = new Map<string, Ec2Account>();
  for (const [project, role] of roles) {
    const { servers } = role;
    if (servers === undefined) continue;
    accounts.set(project, await openEc2(project, role, servers));
  }
  if (accounts.size === 0) return null;
  return ec2Provider({
    accounts: accountIn(accounts, "servers"),
    settings: [...accounts.values()].map(({ settings }) => settings),
    bootUserData: userDataWith(agentProgram),
  });
};

export interface Aws {
  readonly family: CloudControlProvider;
  readonly servers: ServerProvider | null;
}

/** @throws OperatorFileRefused when the file is wrong or a package is not installed. */
export const awsOf = async (file: string): Promise<Aws> => {
  const roles = readRoles(operatorData(file), file);
  const accounts = await withPackages(PACKAGES, openAccounts(roles));
  return {
    family: cloudControlProvider(accountIn(accounts, "role")),
    servers: await withPackages(`${PACKAGES} ${EC2_PACKAGE}`, serversOf(roles)),
  };
};
