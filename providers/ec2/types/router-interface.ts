/** OS::Neutron::RouterInterface: the subnet uses the router's route table instead of its net's. */
import type { Answer, ObjectCall, ProvidedType } from "#provider/provider.ts";
import { ROUTER_INTERFACE_PROPERTIES } from "#providers/network-schemas.ts";
import { readLink, textOfLink } from "#providers/object-names.ts";
import { type Empties, type Refuse, refuseFilled } from "#providers/server-provider.ts";
import type { Step } from "#providers/steps.ts";
import { textOf } from "#providers/values.ts";
import { type At, type Ec2Accounts, Impossible } from "../account.ts";
import { expectPossible, looksAgain, stepsIn } from "../asked.ts";
import { byId, NETS, ROUTER, ROUTERS, reach, type Seen, SUBNETS } from "../objects/looks.ts";
import { isOfProject, TAGS, tagOf } from "../tags.ts";
import { type Association, associate, associationOf } from "./net.ts";

const INTERFACE: Empties = { port: "a router of EC2 has no interfaces; give subnet" };

export const refuseRouterInterface: Refuse = (properties) => refuseFilled(properties, INTERFACE);

const SAME = [TAGS.stack, TAGS.resource] as const;

/** The table belongs to the subnet's net, or to a router that this one replaces. */
const isFree = ({ table }: Association, net: string | null, router: Seen<unknown>): boolean => {
  if (table.id === net) return true;
  if (tagOf(table.tags, TAGS.kind) !== ROUTER) return false;
  return SAME.every((name) => tagOf(table.tags, name) === tagOf(router.tags, name));
};

const connect = async (at: At): Promise<Answer> => {
  const { properties } = at.call;
  expectPossible(refuseRouterInterface(properties));
  const router = await reach(at, ROUTERS, textOf(properties["router"]));
  const subnet = await reach(at, SUBNETS, textOf(properties["subnet"]));
  const link = textOfLink({ router: router.id, by: "subnet_id", id: subnet.id });
  const from = await associationOf(at, subnet.id);
  if (from?.table.id === router.id) return { state: "finished", physicalId: link };
  if (from !== null && !isFree(from, tagOf(subnet.tags, TAGS.net), router)) {
    throw new Impossible(`the subnet ${subnet.id} has the route table ${from.table.id} already`);
  }
  await associate(at, { subnet: subnet.id, from, to: router.id });
  return looksAgain(at, link);
};

/** Returns the subnet to its net's table. A subnet of the operator gets the VPC's main table. */
const disconnect = async (at: At<Step>): Promise<Answer> => {
  const { physicalId, tenant } = at.call;
  const link = readLink(physicalId);
  if (link === null) return { state: "finished" };
  const subnet = await byId(at, SUBNETS, link.id);
  const from = subnet && (await associationOf(at, subnet.id));
  if (!subnet || !from || from.table.id !== link.router) return { state: "finished" };
  if (!isOfProject(from.table.tags, tenant)) return { state: "finished" };
  const net = await byId(at, NETS, tagOf(subnet.tags, TAGS.net) ?? "");
  await associate(at, { subnet: subnet.id, from, to: net?.id ?? null });
  return looksAgain(at, physicalId);
};

const check = async (at: At<ObjectCall>): Promise<Answer> => {
  const link = readLink(at.call.physicalId);
  if (link === null) return { state: "gone" };
  const there = await associationOf(at, link.id);
  return { state: there?.table.id === link.router ? "finished" : "gone" };
};

export const routerInterface = (accounts: Ec2Accounts): ProvidedType => ({
  description: "A connection of a router to a subnet.",
  properties: ROUTER_INTERFACE_PROPERTIES,
  tokens: "kept",
  ...stepsIn(accounts, { create: connect, remove: disconnect, check }),
});
