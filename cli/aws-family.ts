/** `--aws`: `AWS::*` types are objects of AWS, in the account of each project's role. */
import { readFileSync } from "node:fs";
import { whyUnreadable } from "#host/unreadable-file.ts";
import { openAccounts } from "#providers/cloud-control/account/aws-account.ts";
import { RolesRefused, readRoles } from "#providers/cloud-control/account/roles.ts";
import { NoRole } from "#providers/cloud-control/client.ts";
import {
  type CloudControlProvider,
  cloudControlProvider,
} from "#providers/cloud-control/cloud-control.ts";

const textOf = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new RolesRefused(`${file} cannot be used: ${whyUnreadable(error)}.`, { cause: error });
  }
};

/** What Node says of a missing package; the last one in a single executable. */
const MISSING = /(?:Cannot find (?:package|module) '|No such built-in module: )@aws-sdk\//;
const PACKAGES = "@aws-sdk/client-cloudcontrol @aws-sdk/client-sts";

/** Throws RolesRefused. */
export const familyOf = async (file: string): Promise<CloudControlProvider> => {
  const roles = readRoles(textOf(file), file);
  const accounts = await openAccounts(roles).catch((error: unknown) => {
    if (!(error instanceof Error && MISSING.test(error.message))) throw error;
    const text = `--aws needs two packages: npm install --global ${PACKAGES}`;
    throw new RolesRefused(text, { cause: error });
  });
  return cloudControlProvider((tenant) => {
    const account = accounts.get(tenant);
    if (account !== undefined) return account;
    throw new NoRole(`The file of --aws names no role for the project ${tenant}.`);
  });
};
