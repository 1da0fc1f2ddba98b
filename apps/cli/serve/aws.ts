/** `hearth serve --aws FILE`: objects in AWS, in the account of each project's role. */

import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { type MimePart, mimeMessage } from "#lib/resources/mime/mime-message.ts";
import { openAccounts } from "#providers/cloud-control/account/aws-account.ts";
import { type Role, readRoles } from "#providers/cloud-control/account/roles.ts";
import { NoRole } from "#providers/cloud-control/client.ts";
import {
  type CloudControlProvider,
  cloudControlProvider,
} from "#providers/cloud-control/cloud-control.ts";
import { type Ec2Account, openEc2 } from "#providers/ec2/account.ts";
import { ec2Provider } from "#providers/ec2/ec2-provider.ts";
import type { Boot, BootUserData } from "#providers/ec2/types/plan-server.ts";
import { OperatorFileRefused } from "#providers/operator-file.ts";
import type { ServerProvider } from "#providers/server-provider.ts";
import { missingAwsPackage } from "../commands/aws.ts";
import { bootstrapScript, USER_DATA_BYTES_MAX } from "../server/bootstrap-script.ts";
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
    bootUserData,
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

const CFN_INIT_DATA = "/var/lib/heat-cfntools/cfn-init-data";
const SHEBANG = "#!/bin/sh\n";

const encoded = (text: string): string => Buffer.from(text).toString("base64");

const writeInitData = (text: string): string => `mkdir -p /var/lib/heat-cfntools
(umask 077; echo ${encoded(text)} | base64 -d > ${CFN_INIT_DATA})
`;

/** An image of OpenStack has its own agent, which reads the cfn-init data. */
const STOCK_AGENT = "command -v os-collect-config >/dev/null && exit 0\n";

const ownScript = async (boot: Boot): Promise<string | null> => {
  const { stack, server, metadataUrl, cfnInitData } = boot;
  const initData = cfnInitData === null || cfnInitData === "{}" ? "" : writeInitData(cfnInitData);
  if (metadataUrl === null) return initData === "" ? null : SHEBANG + initData;
  const given = { stack, server, metadataUrl, agent: "hearth", privileged: true } as const;
  const script = await bootstrapScript({ ...given, authority: null });
  return SHEBANG + initData + STOCK_AGENT + script.slice(SHEBANG.length);
};

/** cloud-init recognizes a part by its MIME type, and user data by its first line. */
const SUBTYPES: readonly (readonly [beginning: RegExp, subtype: string])[] = [
  [/^#!/, "x-shellscript"],
  [/^#cloud-config/, "cloud-config"],
  [/^#cloud-boothook/, "cloud-boothook"],
  [/^#include/, "x-include-url"],
  [/^#part-handler/, "part-handler"],
];

const usersPart = (text: string): MimePart => ({
  text,
  subtype: SUBTYPES.find(([beginning]) => beginning.test(text))?.[1] ?? "plain",
  filename: "user-data",
});

/** Derived from the text, because EC2 compares the calls that have the same token. */
const boundaryOf =
  (text: string) =>
  (attempt: number): string =>
    `hearth-${createHash("sha256").update(`${attempt}\n${text}`).digest("hex").slice(0, 32)}`;

const whole = async (boot: Boot): Promise<string> => {
  const own = await ownScript(boot);
  if (own === null) return boot.userData;
  if (boot.userData === "") return own;
  const parts = [
    { text: own, subtype: "x-shellscript", filename: "hearth" },
    usersPart(boot.userData),
  ];
  return mimeMessage(parts, boundaryOf(boot.userData));
};

/** The user data of an EC2 instance: the user's part and Hearth's. */
export const bootUserData: BootUserData = async (boot) => {
  const bytes = Buffer.from(await whole(boot));
  return bytes.byteLength <= USER_DATA_BYTES_MAX ? bytes : gzipSync(bytes, { level: 9 });
};
