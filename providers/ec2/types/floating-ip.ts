import type { Address } from "@aws-sdk/client-ec2";
import type { JsonObject } from "#provider/provider.ts";
import { isChanged } from "#providers/changed.ts";
import { FLOATING_IP_SCHEMAS } from "#providers/network-schemas.ts";
import { type Empties, type Refuse, refuseFilled } from "#providers/refused-properties.ts";
import { textOf } from "#providers/values.ts";
import { type Ec2Account, orMissing } from "../account.ts";
import { differs } from "../asked.ts";
import { ADDRESSES, INTERFACES, type Seen } from "../objects/looks.ts";
import { type ObjectType, tagsOfNew } from "../objects/object-type.ts";
import { reach } from "../objects/reach.ts";
import { tagged } from "../tags.ts";

const FLOATING: Empties = {
  floating_subnet: "EC2 has one pool of addresses",
  floating_ip_address: "EC2 chooses the address",
  value_specs: "EC2 has no extensions of Neutron",
  dns_name: "EC2 names an address by itself",
  dns_domain: "EC2 names an address by itself",
};

export const refuseFloatingIp: Refuse = (properties) => refuseFilled(properties, FLOATING);

export interface AddressAssociation {
  readonly address: Seen<Address>;
  readonly port: string;
  readonly fixed: string;
}

export const isAssociated = ({ address: { own }, port, fixed }: AddressAssociation): boolean =>
  own.NetworkInterfaceId === port && (fixed === "" || own.PrivateIpAddress === fixed);

/** As in Neutron, the address leaves its former port. */
export const associateAddress = async (
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

export const disassociateAddress = async (
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
