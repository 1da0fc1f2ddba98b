/** The route table of a subnet. A subnet without one uses the main table of its VPC. */
import type { RouteTableAssociation } from "@aws-sdk/client-ec2";
import { type Ec2Account, hasCode, ignoring, isMissing } from "../account.ts";
import { type Seen, TABLES } from "../objects/looks.ts";

export interface Association {
  readonly id: string;
  readonly table: Seen<unknown>;
}

const isOf =
  (subnet: string) =>
  ({ SubnetId, AssociationState }: RouteTableAssociation): boolean =>
    SubnetId === subnet && AssociationState?.State !== "disassociated";

export const associationOf = async (
  account: Ec2Account,
  subnet: string,
  signal: AbortSignal,
): Promise<Association | null> => {
  const filters = [{ Name: "association.subnet-id", Values: [subnet] }];
  for (const table of await TABLES.look(account, { filters }, signal)) {
    const found = table.own.Associations?.find(isOf(subnet));
    if (found !== undefined) return { id: found.RouteTableAssociationId ?? "", table };
  }
  return null;
};

const unlessChanged = ignoring(
  (error) => isMissing(error) || hasCode(error, "Resource.AlreadyAssociated"),
);

export interface Change {
  readonly subnet: string;
  readonly from: Association | null;
  readonly to: string | null;
}

export const associate = async (
  { ec2 }: Ec2Account,
  { subnet, from, to }: Change,
  abortSignal: AbortSignal,
): Promise<void> => {
  if (to === null) {
    if (from === null) return;
    const given = { AssociationId: from.id };
    return unlessChanged(ec2.disassociateRouteTable(given, { abortSignal }));
  }
  if (from === null) {
    const given = { RouteTableId: to, SubnetId: subnet };
    return unlessChanged(ec2.associateRouteTable(given, { abortSignal }));
  }
  const given = { AssociationId: from.id, RouteTableId: to };
  return unlessChanged(ec2.replaceRouteTableAssociation(given, { abortSignal }));
};
