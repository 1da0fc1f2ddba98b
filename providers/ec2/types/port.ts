import type { NetworkInterface } from "@aws-sdk/client-ec2";
import { clientTokenOf } from "#providers/cloud-control/types/own-tag.ts";
import { PORT_SCHEMAS } from "#providers/network-schemas.ts";
import { type Empties, type Refuse, refuseFilled, refuseOff } from "#providers/server-provider.ts";
import { objectsOf, textOf } from "#providers/values.ts";
import type { At } from "../account.ts";
import { differs } from "../asked.ts";
import { byId, INTERFACES, SUBNETS } from "../objects/looks.ts";
import { nameIn, type ObjectType, TOKEN_WINDOW, tagsOfNew } from "../objects/object-type.ts";
import { refuseTags, TAGS, tagged, tagOf } from "../tags.ts";
import { DEFAULT_GROUP, groupIdOf } from "./security-group.ts";
import { groupsOf, subnetOf } from "./server-networks.ts";

const PORT: Empties = {
  device_id: "the server that names the port has it",
  device_owner: "the server that names the port has it",
  dns_name: "EC2 names instances by their addresses",
  value_specs: "EC2 has no extensions of Neutron",
  mac_address: "EC2 chooses it",
  allowed_address_pairs: "EC2 lets through the addresses of the interface only",
  qos_policy: "EC2 limits traffic by the instance type",
  propagate_uplink_status: "an interface of EC2 has no uplink",
  no_fixed_ips: "an interface of EC2 has an address",
};

export const refusePort: Refuse = (properties) =>
  refuseFilled(properties, PORT) ??
  refuseOff(properties, {
    admin_state_up: "an interface of EC2 is always up",
    port_security_enabled: "security groups of EC2 are always on",
  }) ??
  (objectsOf(properties["fixed_ips"]).length > 1
    ? { property: "fixed_ips", why: "a port has one address" }
    : null) ??
  ((properties["binding:vnic_type"] ?? "normal") === "normal"
    ? null
    : { property: "binding:vnic_type", why: "EC2 has virtual interfaces only" }) ??
  refuseTags(properties);

const wantedGroups = async (at: At): Promise<readonly string[]> => {
  const groups = await groupsOf(at);
  if (groups.length > 0) return groups;
  const own = await groupIdOf(at, DEFAULT_GROUP);
  return own === null ? [] : [own];
};

const otherGroups = async (at: At, own: NetworkInterface): Promise<readonly string[] | null> => {
  const wanted = await wantedGroups(at);
  const there = groupsIn(own);
  const isSame = wanted.length === there.length && wanted.every((one) => there.includes(one));
  return isSame ? null : wanted;
};

const groupsIn = ({ Groups = [] }: NetworkInterface): readonly string[] =>
  Groups.map(({ GroupId = "" }) => GroupId);

export const port: ObjectType<NetworkInterface> = {
  description: "A network interface of EC2.",
  kind: INTERFACES,
  ...PORT_SCHEMAS,
  tokens: TOKEN_WINDOW,
  refuse: refusePort,
  fixed: ["fixed_ips"],
  make: async (at) => {
    const { properties } = at.call;
    const [fixed] = objectsOf(properties["fixed_ips"]);
    const address = textOf(fixed?.["ip_address"]);
    const wanted = {
      subnet: textOf(fixed?.["subnet"]),
      network: textOf(properties["network"]),
      address,
    };
    const groups = await groupsOf(at);
    const given = {
      SubnetId: await subnetOf(at, wanted),
      ...(address === "" ? {} : { PrivateIpAddress: address }),
      ...(groups.length === 0 ? {} : { Groups: [...groups] }),
      TagSpecifications: tagged("network-interface", tagsOfNew(at.call)),
      ClientToken: clientTokenOf(at.call.token),
    };
    const { NetworkInterface: made } = await at.ec2.createNetworkInterface(given, at.abort);
    return made?.NetworkInterfaceId ?? "";
  },
  bring: async (at, { id, own }) => {
    if (at.call.action !== "UPDATE") return true;
    const wanted = await otherGroups(at, own);
    if (wanted === null) return true;
    const given = { NetworkInterfaceId: id, Groups: [...wanted] };
    await at.ec2.modifyNetworkInterfaceAttribute(given, at.abort);
    return true;
  },
  drift: async (at, { own }) => {
    // The template of an imported interface need not name its groups.
    const isOther = at.call.previousProperties !== null && (await otherGroups(at, own)) !== null;
    return isOther ? differs("somebody has changed its security groups") : null;
  },
  attributesOf: async (at, seen) => {
    const { own } = seen;
    const subnet = await byId(at, SUBNETS, own.SubnetId ?? "");
    return {
      admin_state_up: true,
      device_id: own.Attachment?.InstanceId ?? "",
      device_owner: own.Attachment?.InstanceId === undefined ? "" : "compute:nova",
      fixed_ips: [{ subnet_id: own.SubnetId ?? "", ip_address: own.PrivateIpAddress ?? "" }],
      mac_address: own.MacAddress ?? "",
      name: nameIn(seen),
      network_id: tagOf(subnet?.tags, TAGS.net) ?? own.VpcId ?? "",
      security_groups: groupsIn(own),
      status: own.Status === "in-use" ? "ACTIVE" : "DOWN",
      tenant_id: at.call.tenant,
      allowed_address_pairs: [],
      port_security_enabled: true,
      qos_policy_id: null,
      dns_assignment: null,
      propagate_uplink_status: false,
    };
  },
  remove: ({ ec2, abort }, { id }) => ec2.deleteNetworkInterface({ NetworkInterfaceId: id }, abort),
};
