/** OS::Neutron::RouterInterface: the subnet uses the router's route table instead of its net's. */
import type { Answer, Call, ObjectCall, ProvidedType, WaitingCall } from "#provider/provider.ts";
import { CALL_SECONDS_MAX } from "#provider/read-provider.ts";
import { ROUTER_INTERFACE_PROPERTIES } from "#providers/network-schemas.ts";
import { readLink, textOfLink } from "#providers/object-names.ts";
import { type Empties, type Refuse, refusedBy, refuseFilled } from "#providers/server-provider.ts";
import { textOf } from "#providers/values.ts";
import { type Ec2Account, type Ec2Accounts, Impossible } from "../account.ts";
import { failed, inAccount, looksAgain } from "../asked.ts";
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

const connect = async (account: Ec2Account, call: Call): Promise<Answer> => {
  const { properties, signal } = call;
  const wrong = refuseRouterInterface(properties);
  if (wrong !== null) return failed(refusedBy("EC2", wrong));
  const router = await reach(account, ROUTERS, call, textOf(properties["router"]));
  const subnet = await reach(account, SUBNETS, call, textOf(properties["subnet"]));
  const link = textOfLink({ router: router.id, by: "subnet_id", id: subnet.id });
  const from = await associationOf(account, subnet.id, signal);
  if (from?.table.id === router.id) return { state: "finished", physicalId: link };
  if (from !== null && !isFree(from, tagOf(subnet.tags, TAGS.net), router)) {
    throw new Impossible(`the subnet ${subnet.id} has the route table ${from.table.id} already`);
  }
  await associate(account, { subnet: subnet.id, from, to: router.id }, signal);
  return looksAgain(account, link, link);
};

/** Returns the subnet to its net's table. A subnet of the operator gets the VPC's main table. */
const disconnect = async (account: Ec2Account, call: ObjectCall | WaitingCall): Promise<Answer> => {
  const { physicalId, signal, tenant } = call;
  const link = readLink(physicalId);
  if (link === null) return { state: "finished" };
  const subnet = await byId(account, SUBNETS, link.id, signal);
  const from = subnet && (await associationOf(account, subnet.id, signal));
  if (!subnet || !from || from.table.id !== link.router) return { state: "finished" };
  if (!isOfProject(from.table.tags, tenant)) return { state: "finished" };
  const net = await byId(account, NETS, tagOf(subnet.tags, TAGS.net) ?? "", signal);
  const to = net?.id ?? null;
  await associate(account, { subnet: subnet.id, from, to }, signal);
  return looksAgain(account, physicalId, physicalId);
};

const check = async (account: Ec2Account, call: ObjectCall): Promise<Answer> => {
  const link = readLink(call.physicalId);
  if (link === null) return { state: "gone" };
  const there = await associationOf(account, link.id, call.signal);
  return { state: there?.table.id === link.router ? "finished" : "gone" };
};

export const routerInterface = (accounts: Ec2Accounts): ProvidedType => ({
  description: "A connection of a router to a subnet.",
  properties: ROUTER_INTERFACE_PROPERTIES,
  tokens: "kept",
  callSecondsMax: CALL_SECONDS_MAX,
  create: inAccount(accounts, connect),
  poll: inAccount(accounts, (account, call: WaitingCall) =>
    call.action === "DELETE" ? disconnect(account, call) : connect(account, call),
  ),
  cancel: async () => undefined,
  delete: inAccount(accounts, disconnect),
  check: inAccount(accounts, check),
});
