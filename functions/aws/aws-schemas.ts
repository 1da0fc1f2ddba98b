/**
 * `AWS::*` types and those of servers, networks and volumes, for functions that only check
 * templates and plan. This module imports no AWS client, so that these functions stay small. The
 * table of types is unpacked when a template names the first of them.
 */
import { callLimit } from "#lib/adapters/node/call-limit.ts";
import { Bug } from "#lib/errors.ts";
import { mapOf } from "#lib/json.ts";
import type { Clock } from "#lib/ports/ports.ts";
import type { ProvidedTypes } from "#lib/resources/registry.ts";
import type { Accounts } from "#providers/cloud-control/client.ts";
import { cloudControlProvider } from "#providers/cloud-control/cloud-control.ts";
import { ec2Provider } from "#providers/ec2/ec2-provider.ts";
import { openStackProvider } from "#providers/openstack/openstack-provider.ts";
import type { ServerProvider } from "#providers/server-provider.ts";
import type { CheckingEnvironment } from "./environment.ts";
import { bounded } from "./remote-types.ts";

export const awsTypesOf = (accounts: Accounts, { now }: Clock): ProvidedTypes => ({
  types: [],
  family: { family: cloudControlProvider(accounts), limit: callLimit(), now },
});

export const boundServers = (
  servers: ServerProvider | null,
  { now }: Clock,
): Pick<ProvidedTypes, "cloud"> => {
  if (servers === null) return {};
  const types = mapOf(Object.entries(servers.types).map(([name, type]) => [name, bounded(type)]));
  return { cloud: { backEnd: { ...servers, types }, limit: callLimit(), now } };
};

const unbound = () => {
  throw new Bug("this process may act in no account: it makes no provider calls");
};

const SERVERS = {
  /** Images and flavors of the setting are known only to who may assume the roles. */
  ec2: () => ec2Provider({ accounts: unbound, settings: null, bootUserData: unbound }),
  openstack: () => openStackProvider(unbound),
} as const;

export const checkedTypes =
  ({ AWS_TYPES, SERVERS: servers }: CheckingEnvironment) =>
  (clock: Clock): ProvidedTypes => ({
    types: [],
    ...(AWS_TYPES && awsTypesOf(unbound, clock)),
    ...(servers && boundServers(SERVERS[servers](), clock)),
  });
