import type { Address } from "@aws-sdk/client-ec2";
import type { Answer, JsonObject, ObjectCall, ProvidedType } from "#provider/provider.ts";
import {
  FLOATING_IP_ASSOCIATION_PROPERTIES,
  FLOATING_IP_SCHEMAS,
} from "#providers/network-schemas.ts";
import { type Empties, isChanged, type Refuse, refuseFilled } from "#providers/server-provider.ts";
import { textOf } from "#providers/values.ts";
import { type At, type Ec2Accounts, orMissing } from "../account.ts";
import { differs, looksAgain, stepsIn } from "../asked.ts";
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
  { ec2, abort }: At,
  { address, port, fixed }: AddressAssociation,
): Promise<void> => {
  const given = {
    AllocationId: address.id,
    NetworkInterfaceId: port,
    AllowReassociation: true,
    ...(fixed === "" ? {} : { PrivateIpAddress: fixed }),
  };
  await ec2.associateAddress(given, abort);
};

const disassociateAddress = async ({ ec2, abort }: At, { own }: Seen<Address>): Promise<void> => {
  const { AssociationId: id } = own;
  if (id !== undefined) await orMissing(ec2.disassociateAddress({ AssociationId: id }, abort));
};

const portIn = (properties: JsonObject | null): string => textOf(properties?.["port_id"]);

export const floatingIp: ObjectType<Address> = {
  description: "An Elastic IP address of EC2.",
  kind: ADDRESSES,
  ...FLOATING_IP_SCHEMAS,
  // EC2 accepts no token for this call. If a repeated call makes a second address, it is released.
  tokens: "searchable",
  refuse: refuseFloatingIp,
  make: async (at) => {
    const given = {
      Domain: "vpc" as const,
      TagSpecifications: tagged("elastic-ip", tagsOfNew(at.call)),
    };
    const made = await at.ec2.allocateAddress(given, at.abort);
    return made.AllocationId ?? "";
  },
  bring: async (at, seen) => {
    const { properties, previousProperties } = at.call;
    const port = portIn(properties);
    if (port === "") {
      // Another resource may have made the association. This one only ends its own.
      const former = portIn(previousProperties);
      const isOwn = isChanged(at.call, "port_id") && seen.own.NetworkInterfaceId === former;
      if (former === "" || !isOwn) return true;
      await disassociateAddress(at, seen);
      return false;
    }
    const fixed = textOf(properties["fixed_ip_address"]);
    const { id } = await reach(at, INTERFACES, port);
    const wanted = { address: seen, port: id, fixed };
    if (isAssociated(wanted)) return true;
    await associateAddress(at, wanted);
    return false;
  },
  drift: (at, { own }) => {
    const port = portIn(at.call.properties);
    return port === "" || port === own.NetworkInterfaceId
      ? null
      : differs("somebody has associated it with another port");
  },
  attributesOf: async (at, { own }) => ({
    router_id: null,
    tenant_id: at.call.tenant,
    floating_network_id: at.call.properties["floating_network"] ?? null,
    fixed_ip_address: own.PrivateIpAddress ?? null,
    floating_ip_address: own.PublicIp ?? "",
    port_id: own.NetworkInterfaceId ?? null,
  }),
  remove: async (at, seen) => {
    await disassociateAddress(at, seen);
    await at.ec2.releaseAddress({ AllocationId: seen.id }, at.abort);
  },
};

const associate = async (at: At): Promise<Answer> => {
  const { properties } = at.call;
  const address = await reach(at, ADDRESSES, textOf(properties["floatingip_id"]));
  const { id: port } = await reach(at, INTERFACES, textOf(properties["port_id"]));
  const wanted = { address, port, fixed: textOf(properties["fixed_ip_address"]) };
  if (isAssociated(wanted)) return { state: "finished", physicalId: address.id };
  await associateAddress(at, wanted);
  return looksAgain(at, address.id);
};

const update = async (at: At<ObjectCall>): Promise<Answer> =>
  isChanged(at.call, "floatingip_id") ? { state: "replace" } : associate(at);

const there = async (at: At<ObjectCall>) => {
  const { physicalId, properties, previousProperties, tenant } = at.call;
  const address = await byId(at, ADDRESSES, physicalId);
  if (address === null || !isOfProject(address.tags, tenant)) return null;
  const ports = [properties, previousProperties].map((given) => textOf(given?.["port_id"]));
  const { NetworkInterfaceId: port } = address.own;
  return port && ports.includes(port) ? address : null;
};

/** The address may belong to another port by now, and then this resource must not change it. */
const remove = async (at: At<ObjectCall>): Promise<Answer> => {
  const address = await there(at);
  if (address === null) return { state: "finished" };
  await disassociateAddress(at, address);
  return looksAgain(at, address.id);
};

/** OS::Neutron::FloatingIPAssociation. Its physical id is that of the floating IP. */
export const floatingIpAssociation = (accounts: Ec2Accounts): ProvidedType => ({
  description: "An Elastic IP address that leads to a port.",
  properties: FLOATING_IP_ASSOCIATION_PROPERTIES,
  tokens: "kept",
  ...stepsIn(accounts, {
    create: associate,
    update,
    remove,
    check: async (at) => ({ state: (await there(at)) === null ? "gone" : "finished" }),
  }),
  repairable: true,
});
