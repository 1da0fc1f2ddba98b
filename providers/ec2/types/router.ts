/** OS::Neutron::Router: a route table, whose gateway is a route to the VPC's internet gateway. */
import type { RouteTable } from "@aws-sdk/client-ec2";
import type { JsonObject } from "#provider/provider.ts";
import { ROUTER_SCHEMAS } from "#providers/network-schemas.ts";
import {
  type Empties,
  type Refuse,
  type RefusedProperty,
  refuseFilled,
  refuseOff,
} from "#providers/server-provider.ts";
import { isObject } from "#providers/values.ts";
import { type At, hasCode, Impossible, ignoring, isMissing } from "../account.ts";
import { differs } from "../asked.ts";
import { ROUTER, ROUTERS } from "../objects/looks.ts";
import { nameIn, type ObjectType, TOKEN_WINDOW } from "../objects/object-type.ts";
import { refuseTags } from "../tags.ts";
import { makeTable } from "./net.ts";

const ROUTER_EMPTY: Empties = {
  value_specs: "EC2 has no extensions of Neutron",
  tenant_id: "a router belongs to the project of its stack",
  l3_agent_id: "EC2 has no L3 agents",
  l3_agent_ids: "EC2 has no L3 agents",
  availability_zone_hints: "a router of EC2 is in all zones",
};

const INFO = "external_gateway_info";

const GATEWAY: Empties = {
  enable_snat: "an internet gateway translates the addresses of OS::Neutron::FloatingIP only",
  external_fixed_ips: "an internet gateway has no address",
};

const refuseGateway = ({ [INFO]: info }: JsonObject): RefusedProperty | null =>
  isObject(info) ? refuseFilled(info, GATEWAY, `${INFO}.`) : null;

export const refuseRouter: Refuse = (properties) =>
  refuseFilled(properties, ROUTER_EMPTY) ??
  refuseOff(properties, {
    admin_state_up: "a router of EC2 is always up",
    distributed: "a router of EC2 is always distributed",
    ha: "a router of EC2 is always highly available",
  }) ??
  refuseGateway(properties) ??
  refuseTags(properties);

const EVERYWHERE = "0.0.0.0/0";

const defaultRouteOf = ({ Routes = [] }: RouteTable) =>
  Routes.find(({ DestinationCidrBlock: to }) => to === EVERYWHERE) ?? null;

const gatewayOf = async ({ ec2, abort }: At, vpc: string) => {
  const filters = [{ Name: "attachment.vpc-id", Values: [vpc] }];
  const { InternetGateways = [] } = await ec2.describeInternetGateways({ Filters: filters }, abort);
  const id = InternetGateways[0]?.InternetGatewayId;
  if (id === undefined) throw new Impossible(`the VPC ${vpc} has no internet gateway; attach one`);
  return id;
};

const unlessDone = ignoring((error) => isMissing(error) || hasCode(error, "RouteAlreadyExists"));

export const router: ObjectType<RouteTable> = {
  description: "A router: a route table of EC2.",
  kind: ROUTERS,
  ...ROUTER_SCHEMAS,
  tokens: TOKEN_WINDOW,
  refuse: refuseRouter,
  make: (at) => makeTable(at, ROUTER),
  bring: async (at, { id, own }) => {
    const route = defaultRouteOf(own);
    const target = { RouteTableId: id, DestinationCidrBlock: EVERYWHERE };
    if (!isObject(at.call.properties[INFO])) {
      if (route === null) return true;
      await unlessDone(at.ec2.deleteRoute(target, at.abort));
      return false;
    }
    const gateway = await gatewayOf(at, own.VpcId ?? "");
    if (route?.GatewayId === gateway) return true;
    const given = { ...target, GatewayId: gateway };
    await unlessDone(
      route === null ? at.ec2.createRoute(given, at.abort) : at.ec2.replaceRoute(given, at.abort),
    );
    return false;
  },
  drift: (at, { own }) => {
    const isWanted = isObject(at.call.properties[INFO]);
    const isThere = defaultRouteOf(own)?.State === "active";
    if (isWanted === isThere) return null;
    return differs(
      isWanted ? "the route to the internet gateway is gone" : "somebody has added a route",
    );
  },
  attributesOf: async (at, seen) => {
    const gateway = defaultRouteOf(seen.own)?.GatewayId;
    return {
      status: "ACTIVE",
      external_gateway_info:
        gateway === undefined
          ? null
          : { network_id: gateway, enable_snat: false, external_fixed_ips: [] },
      name: nameIn(seen),
      admin_state_up: true,
      tenant_id: at.call.tenant,
    };
  },
  remove: ({ ec2, abort }, { id }) => ec2.deleteRouteTable({ RouteTableId: id }, abort),
};
