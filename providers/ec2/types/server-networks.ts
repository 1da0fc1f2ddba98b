/** Where an instance is: its interfaces, their subnets and their security groups. */
import type {
  InstanceNetworkInterfaceSpecification,
  RunInstancesCommandInput,
  Subnet,
} from "@aws-sdk/client-ec2";
import type { Call, JsonObject } from "#provider/provider.ts";
import { listOf, objectsOf, textOf } from "#providers/refused-properties.ts";
import { type Ec2Account, orMissing } from "../account.ts";
import { TAGS, withTag } from "../tags.ts";
import { groupIdOf } from "./groups.ts";

/** On a subnet: the net of the template, of which EC2 has no object. */
export const NET_TAG = "hearth:net";

type Place = Pick<RunInstancesCommandInput, "NetworkInterfaces" | "SecurityGroupIds" | "SubnetId">;

const missing = (what: string, name: string): string => `The ${what} (${name}) could not be found.`;

/** Those of a net of the template, or of a VPC that was there before. */
const subnetIn = async (
  { ec2 }: Ec2Account,
  { tenant, signal }: Call,
  network: string,
): Promise<Subnet | null> => {
  const filters = network.startsWith("vpc-")
    ? [{ Name: "vpc-id", Values: [network] }]
    : [withTag(NET_TAG, network), withTag(TAGS.tenant, tenant)];
  const found = await orMissing(ec2.describeSubnets({ Filters: filters }, { abortSignal: signal }));
  const ids = (found?.Subnets ?? []).toSorted((one, other) =>
    (one.SubnetId ?? "").localeCompare(other.SubnetId ?? ""),
  );
  return ids[0] ?? null;
};

const interfaceOf = async (
  account: Ec2Account,
  call: Call,
  given: JsonObject,
  groups: readonly string[],
): Promise<InstanceNetworkInterfaceSpecification | string> => {
  const [port, subnet, network, address] = ["port", "subnet", "network", "fixed_ip"].map((name) =>
    textOf(given[name]),
  );
  if (port) return { NetworkInterfaceId: port };
  const subnetId = subnet || (await subnetIn(account, call, network ?? ""))?.SubnetId;
  if (subnetId === undefined) return missing("Network", network ?? "");
  return {
    SubnetId: subnetId,
    ...(address ? { PrivateIpAddress: address } : {}),
    ...(groups.length === 0 ? {} : { Groups: [...groups] }),
  };
};

/** The group that EC2 takes if none is named. */
const DEFAULT_GROUP = "default";

/** A text names the group that is missing. */
export const groupsOf = async (
  account: Ec2Account,
  call: Call,
): Promise<readonly string[] | string> => {
  const names = listOf(call.properties["security_groups"]).map(textOf);
  if (names.every((name) => name === DEFAULT_GROUP || name === "")) return [];
  const ids: string[] = [];
  for (const name of names) {
    const id = await groupIdOf(account, call, name);
    if (id === null) return missing("SecurityGroup", name);
    ids.push(id);
  }
  return ids;
};

/** A text: why there is no such place. */
export const interfacesOf = async (account: Ec2Account, call: Call): Promise<Place | string> => {
  const groups = await groupsOf(account, call);
  if (typeof groups === "string") return groups;
  const networks = objectsOf(call.properties["networks"]);
  if (networks.length === 0) {
    const { subnet } = account.settings;
    return {
      ...(subnet === undefined ? {} : { SubnetId: subnet }),
      ...(groups.length === 0 ? {} : { SecurityGroupIds: [...groups] }),
    };
  }
  const interfaces: InstanceNetworkInterfaceSpecification[] = [];
  for (const [at, given] of networks.entries()) {
    const one = await interfaceOf(account, call, given, groups);
    if (typeof one === "string") return one;
    interfaces.push({ DeviceIndex: at, ...one });
  }
  return { NetworkInterfaces: interfaces };
};
