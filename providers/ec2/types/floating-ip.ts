import type { Address } from "@aws-sdk/client-ec2";
import type {
  Answer,
  Call,
  JsonObject,
  ObjectCall,
  ProvidedType,
  WaitingCall,
} from "#provider/provider.ts";
import { CALL_SECONDS_MAX } from "#provider/read-provider.ts";
import {
  FLOATING_IP_ASSOCIATION_PROPERTIES,
  FLOATING_IP_SCHEMAS,
} from "#providers/network-schemas.ts";
import { type Empties, isChanged, type Refuse, refuseFilled } from "#providers/server-provider.ts";
import { textOf } from "#providers/values.ts";
import { type Ec2Account, type Ec2Accounts, orMissing } from "../account.ts";
import { differs, inAccount, looksAgain } from "../asked.ts";
import { ADDRESSES, byId, INTERFACES, reach, type Seen } from "../objects/looks.ts";
import { type ObjectType, tagsOfNew } from "../objects/object-type.ts";
import { isOfProject, tagged } from "../tags.ts";

const FLOATING: Empties = {
  floating_subnet: "EC2 has one pool of addresses",
  floating_ip_address: "EC2 chooses the address",
  value_specs: "EC2 has no extensions of Neutron",
  dns_name: "EC2 names an address by itself",
  dns_domain: "EC2 names an address by itself",
};

export const refuseFloatingIp: Refuse = (properties) => refuseFilled(properties, FLOATING);

interface AddressAssociation {
  readonly address: Seen<Address>;
  readonly port: string;
  readonly fixed: string;
}

const isAssociated = ({ address: { own }, port, fixed }: AddressAssociation): boolean =>
  own.NetworkInterfaceId === port && (fixed === "" || own.PrivateIpAddress === fixed);

/** As in Neutron, the address leaves its former port. */
const associateAddress = async (
  { ec2 }: Ec2Account,
  { address, port, fixed }: AddressAssociation,
  abortSignal: AbortSignal,
): Promise<void> => {
  const given = {
    AllocationId: address.id,
    NetworkInterfaceId: port,
    AllowReassociation: true,
    ...(fixed === "" ? {} : { PrivateIpAddress: fixed }),
  };
  await ec2.associateAddress(given, { abortSignal });
};

const disassociateAddress = async (
  { ec2 }: Ec2Account,
  { own }: Seen<Address>,
  abortSignal: AbortSignal,
): Promise<void> => {
  const { AssociationId: id } = own;
  if (id !== undefined)
    await orMissing(ec2.disassociateAddress({ AssociationId: id }, { abortSignal }));
};

const portIn = (properties: JsonObject | null): string => textOf(properties?.["port_id"]);

export const floatingIp: ObjectType<Address> = {
  description: "An Elastic IP address of EC2.",
  kind: ADDRESSES,
  ...FLOATING_IP_SCHEMAS,
  // EC2 accepts no token for this call. If a repeated call makes a second address, it is released.
  tokens: "searchable",
  refuse: refuseFloatingIp,
  make: async ({ account, call }) => {
    const given = {
      Domain: "vpc" as const,
      TagSpecifications: tagged("elastic-ip", tagsOfNew(call)),
    };
    const made = await account.ec2.allocateAddress(given, { abortSignal: call.signal });
    return made.AllocationId ?? "";
  },
  bring: async ({ account, call }, seen) => {
    const { properties, previousProperties, signal } = call;
    const port = portIn(properties);
    if (port === "") {
      // Another resource may have made the association. This one only ends its own.
      const former = portIn(previousProperties);
      const isOwn = isChanged(call, "port_id") && seen.own.NetworkInterfaceId === former;
      if (former === "" || !isOwn) return true;
      await disassociateAddress(account, seen, signal);
      return false;
    }
    const fixed = textOf(properties["fixed_ip_address"]);
    const { id } = await reach(account, INTERFACES, call, port);
    const wanted = { address: seen, port: id, fixed };
    if (isAssociated(wanted)) return true;
    await associateAddress(account, wanted, signal);
    return false;
  },
  drift: ({ call }, { own }) => {
    const port = portIn(call.properties);
    return port === "" || port === own.NetworkInterfaceId
      ? null
      : differs("somebody has associated it with another port");
  },
  attributesOf: async ({ call }, { own }) => ({
    router_id: null,
    tenant_id: call.tenant,
    floating_network_id: call.properties["floating_network"] ?? null,
    fixed_ip_address: own.PrivateIpAddress ?? null,
    floating_ip_address: own.PublicIp ?? "",
    port_id: own.NetworkInterfaceId ?? null,
  }),
  remove: async (account, seen, abortSignal) => {
    await disassociateAddress(account, seen, abortSignal);
    await account.ec2.releaseAddress({ AllocationId: seen.id }, { abortSignal });
  },
};

/** OS::Neutron::FloatingIPAssociation. Its physical id is that of the floating IP. */

const associate = async (account: Ec2Account, call: Call): Promise<Answer> => {
  const { properties, signal } = call;
  const address = await reach(account, ADDRESSES, call, textOf(properties["floatingip_id"]));
  const { id: port } = await reach(account, INTERFACES, call, textOf(properties["port_id"]));
  const wanted = { address, port, fixed: textOf(properties["fixed_ip_address"]) };
  if (isAssociated(wanted)) return { state: "finished", physicalId: address.id };
  await associateAddress(account, wanted, signal);
  return looksAgain(account, address.id, address.id);
};

const update = async (account: Ec2Account, call: ObjectCall): Promise<Answer> =>
  isChanged(call, "floatingip_id") ? { state: "replace" } : associate(account, call);

const there = async (account: Ec2Account, call: ObjectCall) => {
  const { physicalId, properties, previousProperties, signal, tenant } = call;
  const address = await byId(account, ADDRESSES, physicalId, signal);
  if (address === null || !isOfProject(address.tags, tenant)) return null;
  const ports = [properties, previousProperties].map((given) => textOf(given?.["port_id"]));
  const { NetworkInterfaceId: port } = address.own;
  return port && ports.includes(port) ? address : null;
};

/** The address may belong to another port by now, and then this resource must not change it. */
const remove = async (account: Ec2Account, call: ObjectCall): Promise<Answer> => {
  const address = await there(account, call);
  if (address === null) return { state: "finished" };
  await disassociateAddress(account, address, call.signal);
  return looksAgain(account, address.id, address.id);
};

export const floatingIpAssociation = (accounts: Ec2Accounts): ProvidedType => ({
  description: "An Elastic IP address that leads to a port.",
  properties: FLOATING_IP_ASSOCIATION_PROPERTIES,
  tokens: "kept",
  callSecondsMax: CALL_SECONDS_MAX,
  create: inAccount(accounts, associate),
  poll: inAccount(accounts, (account, call: WaitingCall) =>
    call.action === "DELETE" ? remove(account, call) : associate(account, call),
  ),
  cancel: async () => undefined,
  update: inAccount(accounts, update),
  repairable: true,
  delete: inAccount(accounts, remove),
  check: inAccount(
    accounts,
    async (account, call: ObjectCall): Promise<Answer> => ({
      state: (await there(account, call)) === null ? "gone" : "finished",
    }),
  ),
});
