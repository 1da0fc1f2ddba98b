import type { Json, JsonObject } from "#provider/provider.ts";
import { Refused } from "#providers/cloud-control/client.ts";
import {
  add,
  described,
  type Ec2State,
  instanceOfInterface,
  KINDS,
  type Kind,
  known,
  objectIn,
  objectsIn,
  ofKind,
  pick,
  retag,
  type Thing,
  textIn,
  textsIn,
  VPC,
  ZONE,
} from "./state.ts";

type Command = (state: Ec2State, given: JsonObject) => JsonObject;

const describe =
  (kind: Kind): Command =>
  (state, given) => ({ [KINDS[kind].list]: [...described(state, kind, given)] });

const refuseUsed = (isUsed: boolean, id: string): void => {
  if (isUsed) throw new Refused("DependencyViolation", `${id} has a dependent object`);
};

const remove =
  (kind: Kind, isUsed: (state: Ec2State, thing: Thing) => boolean): Command =>
  (state, given) => {
    const thing = known(state, textIn(given, KINDS[kind].id));
    refuseUsed(isUsed(state, thing), thing.id);
    state.things.delete(thing.id);
    return {};
  };

const newInterface = (state: Ec2State, given: JsonObject, more: JsonObject = {}): Thing => {
  const [first] = ofKind(state, "security-group");
  const groups = textsIn(given, "Groups");
  const ids = groups.length > 0 ? groups : [first?.id ?? ""];
  const subnet = known(state, textIn(given, "SubnetId"));
  return add(state, "network-interface", given, {
    ...pick(subnet.members, "SubnetId", "VpcId"),
    PrivateIpAddress: textIn(given, "PrivateIpAddress") || `10.0.0.${state.made % 200}`,
    Groups: ids.map((GroupId) => ({ GroupId })),
    Status: "available",
    ...more,
  });
};

const attachmentOf = (instance: string, at: number, ends: boolean): JsonObject => ({
  InstanceId: instance,
  DeviceIndex: at,
  DeleteOnTermination: ends,
  Status: "attached",
});

const run: Command = (state, given) => {
  const wanted = objectsIn(given, "NetworkInterfaces");
  const ports = wanted.map((one) => textIn(one, "NetworkInterfaceId")).filter((id) => id !== "");
  for (const port of ports) refuseUsed(instanceOfInterface(known(state, port)) !== "", port);
  const instance = add(state, "instance", given, {
    ...pick(given, "ImageId", "InstanceType"),
    State: { Name: "running" },
  });
  for (const [at, one] of wanted.entries()) {
    const port = textIn(one, "NetworkInterfaceId");
    const there = port === "" ? newInterface(state, one) : known(state, port);
    const attachment = attachmentOf(instance.id, at, port === "");
    Object.assign(there.members, { Status: "in-use", Attachment: attachment });
  }
  return { Instances: [instance.members] };
};

/** As in EC2, interfaces that were created with the instance end with it, but ports stay. */
const end = (state: Ec2State, id: string): void => {
  for (const one of ofKind(state, "network-interface")) {
    if (instanceOfInterface(one) !== id) continue;
    const isOwn = objectIn(one.members, "Attachment")["DeleteOnTermination"] === true;
    if (isOwn) state.things.delete(one.id);
    else {
      one.members["Status"] = "available";
      delete one.members["Attachment"];
    }
  }
};

const turn =
  (name: "running" | "stopped" | "terminated"): Command =>
  (state, given) => {
    for (const id of textsIn(given, "InstanceIds")) {
      known(state, id).members["State"] = { Name: name };
      if (name === "terminated") end(state, id);
    }
    return {};
  };

/** Accepts one rule a call, because Hearth sends no more. */
const rules =
  (list: "IpPermissions" | "IpPermissionsEgress", isAdded: boolean): Command =>
  (state, given) => {
    const { members } = known(state, textIn(given, "GroupId"));
    const asked = objectsIn(given, "IpPermissions");
    const others = objectsIn(members, list).filter((one) =>
      asked.every((rule) => JSON.stringify(rule) !== JSON.stringify(one)),
    );
    members[list] = isAdded ? [...others, ...asked] : others;
    return {};
  };

const EVERYWHERE: JsonObject = { IpProtocol: "-1", IpRanges: [{ CidrIp: "0.0.0.0/0" }] };

const makeGroup: Command = (state, given) => {
  const name = textIn(given, "GroupName");
  const others = ofKind(state, "security-group").map(({ members }) => members["GroupName"]);
  if (others.includes(name)) throw new Refused("InvalidGroup.Duplicate", `${name} exists`);
  const own = { ...pick(given, "GroupName", "VpcId"), IpPermissionsEgress: [EVERYWHERE] };
  return pick(add(state, "security-group", given, own).members, "GroupId");
};

const makeSubnet: Command = (state, given) => {
  const range = textIn(given, "CidrBlock");
  const others = ofKind(state, "subnet").map(({ members }) => members["CidrBlock"]);
  if (others.includes(range)) throw new Refused("InvalidSubnet.Conflict", `${range} is used`);
  const own = pick(given, "VpcId", "CidrBlock", "AvailabilityZone");
  return { Subnet: add(state, "subnet", given, own).members };
};

const associate: Command = (state, given) => {
  const { members } = known(state, textIn(given, "RouteTableId"));
  const id = `rtbassoc-${textIn(given, "SubnetId")}`;
  const one = { RouteTableAssociationId: id, ...pick(given, "SubnetId") };
  members["Associations"] = [...objectsIn(members, "Associations"), one];
  return { AssociationId: id };
};

const dropSubnet: Command = (state, given) => {
  const id = textIn(given, "SubnetId");
  const isIn = (one: Thing) => one.members["SubnetId"] === id;
  remove("subnet", () => ofKind(state, "network-interface").some(isIn))(state, given);
  for (const { members } of ofKind(state, "route-table")) {
    const kept = objectsIn(members, "Associations").filter((one) => one["SubnetId"] !== id);
    members["Associations"] = kept;
  }
  return {};
};

const hasGroup =
  (id: string) =>
  ({ members }: Thing): boolean =>
    objectsIn(members, "Groups").some((one) => one["GroupId"] === id);

const set =
  (kind: Kind, valuesIn: (given: JsonObject) => JsonObject): Command =>
  (state, given) => {
    Object.assign(known(state, textIn(given, KINDS[kind].id)).members, valuesIn(given));
    return {};
  };

const typeIn = (given: JsonObject): Json => objectIn(given, "InstanceType")["Value"] ?? "";

const COMMANDS: Readonly<Record<string, Command>> = {
  DescribeVpcs: () => ({ Vpcs: [{ VpcId: VPC }] }),
  DescribeAvailabilityZones: () => ({ AvailabilityZones: [{ ZoneName: ZONE }] }),
  DescribeVolumesModifications: () => ({ VolumesModifications: [] }),
  DescribeInstances: (state, given) => ({
    Reservations: [{ Instances: [...described(state, "instance", given)] }],
  }),
  DescribeVolumes: describe("volume"),
  DescribeSecurityGroups: describe("security-group"),
  DescribeRouteTables: describe("route-table"),
  DescribeSubnets: describe("subnet"),
  DescribeNetworkInterfaces: describe("network-interface"),
  RunInstances: run,
  StartInstances: turn("running"),
  StopInstances: turn("stopped"),
  TerminateInstances: turn("terminated"),
  ModifyInstanceAttribute: set("instance", (given) => ({ InstanceType: typeIn(given) })),
  CreateVolume: (state, given) => {
    const own = pick(given, "AvailabilityZone", "Size", "VolumeType");
    return add(state, "volume", given, { State: "available", ...own }).members;
  },
  ModifyVolume: set("volume", (given) => pick(given, "Size", "VolumeType")),
  DeleteVolume: remove("volume", () => false),
  CreateSecurityGroup: makeGroup,
  AuthorizeSecurityGroupIngress: rules("IpPermissions", true),
  AuthorizeSecurityGroupEgress: rules("IpPermissionsEgress", true),
  RevokeSecurityGroupIngress: rules("IpPermissions", false),
  RevokeSecurityGroupEgress: rules("IpPermissionsEgress", false),
  DeleteSecurityGroup: remove("security-group", (state, { id }) =>
    ofKind(state, "network-interface").some(hasGroup(id)),
  ),
  CreateRouteTable: (state, given) => ({
    RouteTable: add(state, "route-table", given, pick(given, "VpcId")).members,
  }),
  AssociateRouteTable: associate,
  DeleteRouteTable: remove("route-table", (_state, { members }) => {
    return objectsIn(members, "Associations").length > 0;
  }),
  CreateSubnet: makeSubnet,
  DeleteSubnet: dropSubnet,
  CreateNetworkInterface: (state, given) => ({
    NetworkInterface: newInterface(state, given).members,
  }),
  ModifyNetworkInterfaceAttribute: set("network-interface", (given) => ({
    Groups: textsIn(given, "Groups").map((GroupId) => ({ GroupId })),
  })),
  DeleteNetworkInterface: remove(
    "network-interface",
    (_state, thing) => instanceOfInterface(thing) !== "",
  ),
  CreateTags: (state, given) => {
    retag(state, given, true);
    return {};
  },
  DeleteTags: (state, given) => {
    retag(state, given, false);
    return {};
  },
};

const SUFFIX = /Command$/;

/** A repeated token gets the answer of the first call. */
export const answerOf = (state: Ec2State, commandName: string, given: JsonObject): JsonObject => {
  const name = commandName.replace(SUFFIX, "");
  const { [name]: command } = COMMANDS;
  if (command === undefined) throw new Refused("UnsupportedOperation", name);
  const token = textIn(given, "ClientToken");
  const key = `${name} ${token}`;
  const answer = (token === "" ? undefined : state.answers.get(key)) ?? command(state, given);
  if (token !== "") state.answers.set(key, answer);
  return structuredClone(answer);
};
