import type {
  Instance,
  InstanceNetworkInterface,
  InstanceNetworkInterfaceSpecification,
  RunInstancesCommandInput,
  Subnet,
} from "@aws-sdk/client-ec2";
import type { Call, JsonObject } from "#provider/provider.ts";
import { TryAgain } from "#providers/cloud-control/client.ts";
import { isHostIn, rangeOf } from "#providers/ipv4.ts";
import { listOf, objectsOf, textOf } from "#providers/values.ts";
import { type Ec2Account, Impossible } from "../account.ts";
import {
  byId,
  INTERFACES,
  missing,
  NETS,
  named,
  reach,
  type Seen,
  SUBNETS,
} from "../objects/looks.ts";
import { nameIn } from "../objects/object-type.ts";
import { inVpc, vpcOf, zoneOf } from "../objects/place.ts";
import { isOfProject, NAME, TAGS, tagOf, withTag } from "../tags.ts";
import { DEFAULT_GROUP, groupIdOf } from "./security-group.ts";

type Place = Pick<
  RunInstancesCommandInput,
  "NetworkInterfaces" | "Placement" | "SecurityGroupIds" | "SubnetId"
>;

/** Hearth makes subnets for other projects in the same VPC. */
const inWholeVpc = async (
  account: Ec2Account,
  { tenant, signal }: Call,
  vpc: string,
): Promise<readonly Seen<Subnet>[]> => {
  const found = await SUBNETS.look(account, { filters: [inVpc(vpc)] }, signal);
  return found.filter(({ tags }) => isOfProject(tags, tenant));
};

/** Subnets of the operator are found by the tag that EC2's console shows as their name. */
const byName = async (
  account: Ec2Account,
  { tenant, signal }: Call,
  name: string,
): Promise<readonly Seen<Subnet>[]> => {
  const filters = [inVpc(await vpcOf(account, signal)), withTag(NAME, name)];
  const found = await SUBNETS.look(account, { filters }, signal);
  return found.filter(({ tags }) => isOfProject(tags, tenant) && tagOf(tags, NAME) === name);
};

/**
 * Accepts a net of Hearth, a VPC, or the name of the operator's subnets. Throws Impossible, or
 * TryAgain if the net has no subnet yet.
 */
const subnetsIn = async (
  account: Ec2Account,
  call: Call,
  network: string,
): Promise<readonly Seen<Subnet>[]> => {
  const { tenant, signal } = call;
  const net = await named(account, NETS, call, network);
  if (net !== null) {
    const all = await SUBNETS.look(account, { filters: [withTag(TAGS.net, net.id)] }, signal);
    const found = all.filter(({ tags }) => isOfProject(tags, tenant));
    if (found.length > 0) return found;
    throw new TryAgain(`${network} has no subnet yet`, account.pace.poll);
  }
  const found = network.startsWith("vpc-")
    ? await inWholeVpc(account, call, network)
    : await byName(account, call, network);
  if (found.length === 0) throw missing(NETS.noun, network);
  return found;
};

const holds = ({ CidrBlock = "" }: Subnet, address: string): boolean => {
  const range = rangeOf(CidrBlock);
  return range !== null && isHostIn(range, address);
};

interface GivenPlace {
  readonly subnet: string;
  readonly network: string;
  readonly address: string;
}

export const placeIn = (given: JsonObject): GivenPlace => ({
  subnet: textOf(given["subnet"]),
  network: textOf(given["network"]),
  address: textOf(given["fixed_ip"]),
});

/** A new interface is made in the first of these subnets. Throws Impossible and TryAgain. */
export const subnetsOf = async (
  account: Ec2Account,
  call: Call,
  { subnet, network, address }: GivenPlace,
): Promise<readonly [string, ...string[]]> => {
  if (subnet !== "") return [(await reach(account, SUBNETS, call, subnet)).id];
  const all = await subnetsIn(account, call, network);
  const [first, ...others] = address === "" ? all : all.filter(({ own }) => holds(own, address));
  if (first === undefined) throw new Impossible(`${network} has no subnet with ${address}`);
  return [first.id, ...others.map(({ id }) => id)];
};

export const subnetOf = async (
  account: Ec2Account,
  call: Call,
  given: GivenPlace,
): Promise<string> => (await subnetsOf(account, call, given))[0];

const interfaceOf = async (
  account: Ec2Account,
  call: Call,
  given: JsonObject,
  groups: readonly string[],
): Promise<InstanceNetworkInterfaceSpecification> => {
  const port = textOf(given["port"]);
  if (port !== "") {
    return { NetworkInterfaceId: (await reach(account, INTERFACES, call, port)).id };
  }
  const place = placeIn(given);
  return {
    SubnetId: await subnetOf(account, call, place),
    // EC2's own default. It also tells the server's own interfaces from ports later.
    DeleteOnTermination: true,
    ...(place.address === "" ? {} : { PrivateIpAddress: place.address }),
    ...(groups.length === 0 ? {} : { Groups: [...groups] }),
  };
};

/** Empty means EC2's default group. Throws Impossible. */
export const groupsOf = async (account: Ec2Account, call: Call): Promise<readonly string[]> => {
  const names = listOf(call.properties["security_groups"]).map(textOf);
  if (names.every((name) => name === DEFAULT_GROUP || name === "")) return [];
  const ids: string[] = [];
  for (const name of names) {
    const id = await groupIdOf(account, call, name);
    if (id === null) throw missing("SecurityGroup", name);
    ids.push(id);
  }
  return ids;
};

const placeOf = async (account: Ec2Account, call: Call): Promise<Place> => {
  const { subnet, vpc } = account.settings;
  if (subnet !== undefined) return { SubnetId: subnet };
  const hasZone = textOf(call.properties["availability_zone"]) !== "";
  if (hasZone || vpc !== undefined) return {};
  return { Placement: { AvailabilityZone: await zoneOf(account, call.signal) } };
};

export const interfacesOf = async (account: Ec2Account, call: Call): Promise<Place> => {
  const groups = await groupsOf(account, call);
  const networks = objectsOf(call.properties["networks"]);
  if (networks.length === 0) {
    return {
      ...(await placeOf(account, call)),
      ...(groups.length === 0 ? {} : { SecurityGroupIds: [...groups] }),
    };
  }
  const interfaces: InstanceNetworkInterfaceSpecification[] = [];
  for (const [at, given] of networks.entries()) {
    interfaces.push({ DeviceIndex: at, ...(await interfaceOf(account, call, given, groups)) });
  }
  return { NetworkInterfaces: interfaces };
};

/** As in Heat, the addresses are listed under the name and the id of each network. */

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
