/**
 * Servers, networks and volumes for functions that visit resources: in EC2 under a project's role,
 * or in an OpenStack with a project's application credential. A deployment has one of the two.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "#lib/json.ts";
import type { Clock } from "#lib/ports/ports.ts";
import { userDataWith } from "#providers/boot/ec2-user-data.ts";
import { NoRole } from "#providers/cloud-control/client.ts";
import type { Ec2Account, Ec2Accounts } from "#providers/ec2/account.ts";
import { ec2Provider } from "#providers/ec2/ec2-provider.ts";
import { openEc2 } from "#providers/ec2/open-ec2.ts";
import { readCredential } from "#providers/openstack/account/projects.ts";
import { openSession } from "#providers/openstack/account/session.ts";
import { type Cloud, type Clouds, NoProject, TryAgain } from "#providers/openstack/cloud.ts";
import { openStackProvider } from "#providers/openstack/openstack-provider.ts";
import { OperatorFileRefused } from "#providers/operator-file.ts";
import type { ServerProvider } from "#providers/server-provider.ts";
import { type AwsRoles, type OpenStackSecrets, roleOf } from "./aws-roles.ts";
import type { SecretOf } from "./bind-ports.ts";

/** The deployment puts the agent's program beside the bundle. */
const AGENT_FILE = "hearth-agent.mjs";
const agentBeside = async (): Promise<string> =>
  readFileSync(join(import.meta.dirname, AGENT_FILE), "utf8");

/** The client of EC2 is loaded at a project's first call. */
export const ec2Under = (roles: AwsRoles, stage: string): Ec2Accounts => {
  const opened = new Map<string, Promise<Ec2Account>>();
  return (project) => {
    const role = roleOf(roles, project);
    if (role.servers === undefined) {
      throw new NoRole(
        `The role of the project ${project} has no servers, so nothing was changed in EC2. Its operator adds them in the setting awsRoles, and deploys again.`,
      );
    }
    const account = opened.get(project) ?? openEc2(`${stage}-${project}`, role, role.servers);
    opened.set(project, account);
    return account;
  };
};

export const ec2Servers = (
  roles: AwsRoles,
  accounts: Ec2Accounts,
  agentProgram = agentBeside,
): ServerProvider | null => {
  const settings = Object.values(roles).flatMap(({ servers }) => servers ?? []);
  const bootUserData = userDataWith(agentProgram);
  return settings.length === 0 ? null : ec2Provider({ accounts, settings, bootUserData });
};

/** A changed secret is used after this time. */
const KNOWN_MS_MAX = 300_000;

/** A project's secret is read at its first call. An unchanged one keeps its session. */
export const cloudsWith = (
  secrets: OpenStackSecrets,
  secretOf: SecretOf,
  { now }: Pick<Clock, "now">,
): Clouds => {
  const known = new Map<string, { text: string; cloud: Cloud; until: number }>();
  const opened = async (project: string, secret: string): Promise<Cloud> => {
    const former = known.get(project);
    if (former !== undefined && now() < former.until) return former.cloud;
    const text = await secretOf(secret);
    const cloud =
      former?.text === text ? former.cloud : openSession(readCredential(jsonOf(text), secret));
    known.set(project, { text, cloud, until: now() + KNOWN_MS_MAX });
    return cloud;
  };
  return async (project) => {
    const secret = Object.hasOwn(secrets, project) ? secrets[project] : undefined;
    if (secret === undefined) {
      throw new NoProject(
        `The project ${project} has no credential for OpenStack, so nothing was changed there. Its operator names a secret in the setting openStackSecrets, and deploys again.`,
      );
    }
    try {
      return await opened(project, secret);
    } catch (error) {
      throw unread(project, error);
    }
  };
};

/** Secrets Manager answers so until an operator changes something. */
const UNREADABLE =
  /^(ResourceNotFound|AccessDenied|InvalidRequest|InvalidParameter|DecryptionFailure)/;

const unread = (project: string, error: unknown): Error => {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const why = `The secret with the credential of the project ${project} was not read: ${message}`;
  return error instanceof OperatorFileRefused || UNREADABLE.test(name)
    ? new NoProject(why, { cause: error })
    : new TryAgain(why, { cause: error });
};

/** The text is a secret, so no error may quote it. */
const jsonOf = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
};

export const openStackServers = (
  secrets: OpenStackSecrets,
  secretOf: SecretOf,
  clock: Clock,
): ServerProvider | null =>
  Object.keys(secrets).length === 0
    ? null
    : openStackProvider(cloudsWith(secrets, secretOf, clock));
