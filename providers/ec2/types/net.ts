/**
 * OS::Neutron::Net: a route table without a route to the internet, which its subnets use until a
 * router has them. They must not use the main table of the VPC, which may lead to the internet.
 */
import type { RouteTable, RouteTableAssociation } from "@aws-sdk/client-ec2";
import { clientTokenOf } from "#providers/cloud-control/types/own-tag.ts";
import { NET_SCHEMAS } from "#providers/network-schemas.ts";
import { type Empties, type Refuse, refuseFilled, refuseOff } from "#providers/server-provider.ts";
import { type At, type Caller, hasCode, ignoring, isMissing } from "../account.ts";
import { NET, NETS, type Seen, SUBNETS, TABLES } from "../objects/looks.ts";
import { nameIn, type ObjectType, TOKEN_WINDOW, tagsOfNew } from "../objects/object-type.ts";
import { vpcOf } from "../objects/place.ts";
import { refuseTags, TAGS, tagged, withTag } from "../tags.ts";

const NETWORK: Empties = {
  value_specs: "EC2 has no extensions of Neutron",
  tenant_id: "a network belongs to the project of its stack",
  shared: "a network belongs to one project",
  dhcp_agent_ids: "EC2 has no DHCP agents",
  qos_policy: "EC2 limits traffic by the instance type",
  dns_domain: "the domain belongs to the VPC",
  availability_zone_hints: "a VPC is in all zones",
};

export const refuseNet: Refuse = (properties) =>
  refuseFilled(properties, NETWORK) ??
  refuseOff(properties, {
    admin_state_up: "a network of EC2 is always up",
    port_security_enabled: "security groups of EC2 are always on",
  }) ??
  refuseTags(properties);

export const makeTable = async (at: At, kind: string): Promise<string> => {
  const given = {
    VpcId: await vpcOf(at),
    TagSpecifications: tagged("route-table", tagsOfNew(at.call, { [TAGS.kind]: kind })),
    ClientToken: clientTokenOf(at.call.token),
  };
  const { RouteTable: made } = await at.ec2.createRouteTable(given, at.abort);
  return made?.RouteTableId ?? "";
};

export const net: ObjectType<RouteTable> = {
  description: "A network: a route table of EC2.",
  kind: NETS,
  ...NET_SCHEMAS,
  tokens: TOKEN_WINDOW,
  refuse: refuseNet,
  make: (at) => makeTable(at, NET),
  attributesOf: async (at, seen) => {
    const filters = [withTag(TAGS.net, seen.id)];
    const subnets = await SUBNETS.look(at, { filters });
    return {
      status: "ACTIVE",
      name: nameIn(seen),
      subnets: subnets.map(({ id }) => id),
      admin_state_up: true,
      tenant_id: at.call.tenant,
      port_security_enabled: true,
      mtu: null,
      qos_policy_id: null,
      l2_adjacency: false,
      segments: null,
    };
  },
  remove: ({ ec2, abort }, { id }) => ec2.deleteRouteTable({ RouteTableId: id }, abort),
};

/** The route table of a subnet. A subnet without one uses the main table of its VPC. */
export interface Association {
  readonly id: string;
  readonly table: Seen<unknown>;
}

const isOf =
  (subnet: string) =>
  ({ SubnetId, AssociationState }: RouteTableAssociation): boolean =>
    SubnetId === subnet && AssociationState?.State !== "disassociated";

export const associationOf = async (
  at: At<Caller>,
  subnet: string,
): Promise<Association | null> => {
  const filters = [{ Name: "association.subnet-id", Values: [subnet] }];
  for (const table of await TABLES.look(at, { filters })) {
    const found = table.own.Associations?.find(isOf(subnet));
    if (found !== undefined) return { id: found.RouteTableAssociationId ?? "", table };
  }
  return null;
};

const unlessChanged = ignoring(
  (error) => isMissing(error) || hasCode(error, "Resource.AlreadyAssociated"),
);

interface Change {
  readonly subnet: string;
  readonly from: Association | null;
  readonly to: string | null;
}

export const associate = async (
  { ec2, abort }: At,
  { subnet, from, to }: Change,
): Promise<void> => {
  if (to === null) {
    if (from === null) return;
    const given = { AssociationId: from.id };
    return unlessChanged(ec2.disassociateRouteTable(given, abort));
  }
  if (from === null) {
    const given = { RouteTableId: to, SubnetId: subnet };
    return unlessChanged(ec2.associateRouteTable(given, abort));
  }
  const given = { AssociationId: from.id, RouteTableId: to };
  return unlessChanged(ec2.replaceRouteTableAssociation(given, abort));
};
