import type {
  Instance,
  InstanceNetworkInterface,
  InstanceNetworkInterfaceSpecification,
  RunInstancesCommandInput,
  Subnet,
} from "@aws-sdk/client-ec2";
import type { JsonObject } from "#provider/provider.ts";
import { TryAgain } from "#providers/cloud-control/client.ts";
import { isHostIn, rangeOf } from "#providers/ipv4.ts";
import { listOf, objectsOf, textOf } from "#providers/values.ts";
import { type At, Impossible } from "../account.ts";
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
const inWholeVpc = async (at: At, vpc: string): Promise<readonly Seen<Subnet>[]> => {
  const found = await SUBNETS.look(at, { filters: [inVpc(vpc)] });
  return found.filter(({ tags }) => isOfProject(tags, at.call.tenant));
};

/** Subnets of the operator are found by the tag that EC2's console shows as their name. */
const byName = async (at: At, name: string): Promise<readonly Seen<Subnet>[]> => {
  const filters = [inVpc(await vpcOf(at)), withTag(NAME, name)];
  const found = await SUBNETS.look(at, { filters });
  return found.filter(
    ({ tags }) => isOfProject(tags, at.call.tenant) && tagOf(tags, NAME) === name,
  );
};

/**
 * Accepts a net of Hearth, a VPC, or the name of the operator's subnets. Throws Impossible, or
 * TryAgain if the net has no subnet yet.
 */
const subnetsIn = async (at: At, network: string): Promise<readonly Seen<Subnet>[]> => {
  const net = await named(at, NETS, network);
  if (net !== null) {
    const all = await SUBNETS.look(at, { filters: [withTag(TAGS.net, net.id)] });
    const found = all.filter(({ tags }) => isOfProject(tags, at.call.tenant));
    if (found.length > 0) return found;
    throw new TryAgain(`${network} has no subnet yet`, at.pace.poll);
  }
  const found = network.startsWith("vpc-")
    ? await inWholeVpc(at, network)
    : await byName(at, network);
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
  at: At,
  { subnet, network, address }: GivenPlace,
): Promise<readonly [string, ...string[]]> => {
  if (subnet !== "") return [(await reach(at, SUBNETS, subnet)).id];
  const all = await subnetsIn(at, network);
  const [first, ...others] = address === "" ? all : all.filter(({ own }) => holds(own, address));
  if (first === undefined) throw new Impossible(`${network} has no subnet with ${address}`);
  return [first.id, ...others.map(({ id }) => id)];
};

export const subnetOf = async (at: At, given: GivenPlace): Promise<string> =>
  (await subnetsOf(at, given))[0];

const interfaceOf = async (
  at: At,
  given: JsonObject,
  groups: readonly string[],
): Promise<InstanceNetworkInterfaceSpecification> => {
  const port = textOf(given["port"]);
  if (port !== "") {
    return { NetworkInterfaceId: (await reach(at, INTERFACES, port)).id };
  }
  const place = placeIn(given);
  return {
    SubnetId: await subnetOf(at, place),
    // EC2's own default. It also tells the server's own interfaces from ports later.
    DeleteOnTermination: true,
    ...(place.address === "" ? {} : { PrivateIpAddress: place.address }),
    ...(groups.length === 0 ? {} : { Groups: [...groups] }),
  };
};

/** Empty means EC2's default group. Throws Impossible. */
export const groupsOf = async (at: At): Promise<readonly string[]> => {
  const names = listOf(at.call.properties["security_groups"]).map(textOf);
  if (names.every((name) => name === DEFAULT_GROUP || name === "")) return [];
  const ids: string[] = [];
  for (const name of names) {
    const id = await groupIdOf(at, name);
    if (id === null) throw missing("SecurityGroup", name);
    ids.push(id);
  }
  return ids;
};

const placeOf = async (at: At): Promise<Place> => {
  const { subnet, vpc } = at.settings;
  if (subnet !== undefined) return { SubnetId: subnet };
  const hasZone = textOf(at.call.properties["availability_zone"]) !== "";
  if (hasZone || vpc !== undefined) return {};
  return { Placement: { AvailabilityZone: await zoneOf(at) } };
};

export const interfacesOf = async (at: At): Promise<Place> => {
  const groups = await groupsOf(at);
  const networks = objectsOf(at.call.properties["networks"]);
  if (networks.length === 0) {
    return {
      ...(await placeOf(at)),
      ...(groups.length === 0 ? {} : { SecurityGroupIds: [...groups] }),
    };
  }
  const interfaces: InstanceNetworkInterfaceSpecification[] = [];
  for (const [index, given] of networks.entries()) {
    interfaces.push({ DeviceIndex: index, ...(await interfaceOf(at, given, groups)) });
  }
  return { NetworkInterfaces: interfaces };
};

const namesOf = async (
  at: At,
  { VpcId = "", SubnetId = "" }: InstanceNetworkInterface,
): Promise<readonly string[]> => {
  const subnet = await byId(at, SUBNETS, SubnetId);
  const netId = tagOf(subnet?.tags, TAGS.net);
  if (netId === null) return [VpcId, SubnetId];
  const net = await byId(at, NETS, netId);
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

/** As in Heat, the addresses are listed under the name and the id of each network. */
export const networksIn = async (
  at: At,
  { NetworkInterfaces = [] }: Instance,
): Promise<JsonObject> => {
  // A Map, because a network may have a name such as `__proto__`.
  const addresses = new Map<string, readonly JsonObject[]>();
  for (const one of NetworkInterfaces) {
    const entries = entriesOf(one);
    for (const name of await namesOf(at, one)) {
      if (name === "" || entries.length === 0) continue;
      addresses.set(name, [...(addresses.get(name) ?? []), ...entries]);
    }
  }
  const networks = [...addresses].map(
    ([name, entries]) => [name, entries.map(({ addr }) => addr ?? "")] as const,
  );
  return { networks: Object.fromEntries(networks), addresses: Object.fromEntries(addresses) };
};
