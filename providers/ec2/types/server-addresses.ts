/** As in Heat, the addresses are listed under the name and the id of each network. */
import type { Instance, InstanceNetworkInterface } from "@aws-sdk/client-ec2";
import type { JsonObject } from "#provider/provider.ts";
import type { Ec2Account } from "../account.ts";
import { byId, NETS, SUBNETS } from "../objects/looks.ts";
import { nameIn } from "../objects/object-type.ts";
import { TAGS, tagOf } from "../tags.ts";

const namesOf = async (
  account: Ec2Account,
  { VpcId = "", SubnetId = "" }: InstanceNetworkInterface,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const subnet = await byId(account, SUBNETS, SubnetId, signal);
  const netId = tagOf(subnet?.tags, TAGS.net);
  if (netId === null) return [VpcId, SubnetId];
  const net = await byId(account, NETS, netId, signal);
  return net === null ? [netId] : [nameIn(net), netId];
};

const entriesOf = (one: InstanceNetworkInterface): readonly JsonObject[] => {
  const entry = (addr: string, kind: "fixed" | "floating"): JsonObject => ({
    addr,
    version: 4,
    "OS-EXT-IPS:type": kind,
    "OS-EXT-IPS-MAC:mac_addr": one.MacAddress ?? "",
    port: one.NetworkInterfaceId ?? null,
    subnets: [],
    network: {},
  });
  const [addr, floating] = [one.PrivateIpAddress ?? "", one.Association?.PublicIp ?? ""];
  return [
    ...(addr === "" ? [] : [entry(addr, "fixed")]),
    ...(floating === "" ? [] : [entry(floating, "floating")]),
  ];
};

export const networksIn = async (
  account: Ec2Account,
  { NetworkInterfaces = [] }: Instance,
  signal: AbortSignal,
): Promise<JsonObject> => {
  // A Map, because a network may have a name such as `__proto__`.
  const addresses = new Map<string, readonly JsonObject[]>();
  for (const one of NetworkInterfaces) {
    const entries = entriesOf(one);
    for (const name of await namesOf(account, one, signal)) {
      if (name === "" || entries.length === 0) continue;
      addresses.set(name, [...(addresses.get(name) ?? []), ...entries]);
    }
  }
  const networks = [...addresses].map(
    ([name, entries]) => [name, entries.map(({ addr }) => addr ?? "")] as const,
  );
  return { networks: Object.fromEntries(networks), addresses: Object.fromEntries(addresses) };
};
