/**
 * Plays the provider on a double, Docker or Podman, as Hearth calls it: the contract kit for each
 * type, and every request of an operation spoilt once.
 */

import { checkProvider } from "#provider/kit/check-provider.ts";
import type { JsonObject, ProvidedType, Provider } from "#provider/provider.ts";
import { readProvider } from "#provider/read-provider.ts";
import { backEndOf } from "#providers/docker/back-end.ts";
import { dockerProvider } from "#providers/docker/docker-provider.ts";
import { openEngine } from "#providers/docker/engine/client.ts";
import { callOf } from "../contract/provider-call.ts";
import {
  make,
  type Result,
  playFaults as spoilEach,
  unmake,
} from "../contract/spoilt-operations.ts";
import type { CuttingProxy } from "./cutting-proxy.ts";

/** This image has /bin/sh and Node, but no cloud-init. */
export const IMAGE = "hearth-test/node:1";
/** The first process of this image can be a shell, but it has no Node. */
export const BARE_IMAGE = "hearth-test/bare:1";

const agentProgram = async (): Promise<string> => "// The agent's program";
export const providerAt = (socketPath: string) =>
  dockerProvider(backEndOf(openEngine({ socketPath }), { agentProgram, defaultNetwork: null }));

const pluginAt = async (socketPath: string): Promise<Provider> => {
  const { provider, name, types } = providerAt(socketPath);
  return readProvider({ provider, name, types });
};

const SCRIPT = "#!/bin/sh\necho began > /tmp/began\n";
const SERVER: JsonObject = { image: IMAGE, flavor: "1c-64m", user_data: SCRIPT };

interface KitCase {
  readonly type: string;
  readonly properties: JsonObject;
  readonly changed?: JsonObject;
  readonly replacement?: JsonObject;
  readonly failing?: JsonObject;
}

export const KIT_CASES: readonly KitCase[] = [
  {
    type: "OS::Nova::KeyPair",
    properties: { name: "one", public_key: "ssh-ed25519 AAAA one" },
    replacement: { name: "two", save_private_key: true },
    failing: { name: "three", type: "x509" },
  },
  { type: "OS::Neutron::Net", properties: { name: "front" }, changed: { name: "back" } },
  {
    type: "OS::Cinder::Volume",
    properties: { size: 1 },
    changed: { size: 2 },
    failing: { size: 1, image: "cirros" },
  },
  {
    type: "OS::Nova::Server",
    properties: SERVER,
    changed: { ...SERVER, flavor: "1c-96m" },
    failing: { ...SERVER, image: BARE_IMAGE, user_data: "#cloud-config\n{}\n" },
  },
];

export const playKit = async (
  socketPath: string,
  { type, ...options }: KitCase,
): Promise<readonly Result[]> => {
  const load = () => pluginAt(socketPath);
  const found = await checkProvider({ ...options, type, load }, () => undefined);
  return found.map(({ name, verdict, text, calls }) => ({
    name: `${type}: ${name}`,
    wrong: verdict === "failed" ? [text, ...calls] : [],
  }));
};

export const typeAt = (socketPath: string, name: string): ProvidedType => {
  const type = providerAt(socketPath).types[name];
  if (type === undefined) throw new Error(`the provider has no type ${name}`);
  return type;
};

export interface SpoiltCase {
  readonly type: string;
  readonly properties: JsonObject;
}

/**
 * Spoils every request of a creation and of a delete with every fault. One result for each fault.
 */
export const playFaults = (
  direct: string,
  proxy: CuttingProxy,
  { type: name, properties }: SpoiltCase,
): Promise<readonly Result[]> => {
  const [spoilt, own] = [typeAt(proxy.socketPath, name), typeAt(direct, name)];
  const count = async () => ((await own.list?.({})) ?? []).length;
  return spoilEach({ name, own, spoilt, properties, count }, proxy);
};

export const SPOILT_SERVER: SpoiltCase = { type: "OS::Nova::Server", properties: SERVER };
export const SPOILT_RECORDS: readonly SpoiltCase[] = [
  { type: "OS::Nova::KeyPair", properties: { name: "spoilt", save_private_key: true } },
  { type: "OS::Neutron::Net", properties: { name: "spoilt" } },
  { type: "OS::Cinder::Volume", properties: { size: 1 } },
];

export const withNet = async (
  socketPath: string,
  cidr: string,
  use: (subnet: SpoiltCase, port: SpoiltCase) => Promise<readonly Result[]>,
): Promise<readonly Result[]> => {
  const net = typeAt(socketPath, "OS::Neutron::Net");
  const call = callOf("the net", { properties: { name: "front" } });
  const made = await make(net, call);
  const network = "physicalId" in made ? (made.physicalId ?? "") : "";
  const results = await use(
    { type: "OS::Neutron::Subnet", properties: { network, cidr } },
    { type: "OS::Neutron::Port", properties: { network } },
  );
  await unmake(net, call, network);
  return results;
};

export const playNetworkFaults = (
  direct: string,
  proxy: CuttingProxy,
  cidr: string,
): Promise<readonly Result[]> =>
  withNet(direct, cidr, async (subnet, port) => {
    const subnets = await playFaults(direct, proxy, subnet);
    const type = typeAt(direct, subnet.type);
    const call = callOf("the subnet", { properties: subnet.properties });
    const made = await make(type, call);
    const ports = await playFaults(direct, proxy, port);
    if ("physicalId" in made && made.physicalId !== undefined) {
      await unmake(type, call, made.physicalId);
    }
    return [...subnets, ...ports];
  });
