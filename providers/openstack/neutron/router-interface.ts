/** OS::Neutron::RouterInterface. As in Heat, the id contains the router and the subnet or port. */
import * as z from "zod/mini";
import type { Answer, ObjectCall, ProvidedType } from "#provider/provider.ts";
import { type RouterLink as Link, readLink, textOfLink } from "#providers/object-names.ts";
import type { Step } from "#providers/steps.ts";
import { ROUTER_INTERFACE_PROPERTIES } from "../../network-schemas.ts";
import { idOf } from "../../object-names.ts";
import { textOf } from "../../values.ts";
import { type At, askNeutron, inUse, lookTwice, type Site, stepsIn } from "../asked.ts";
import {
  CONFLICT,
  isSuccess,
  messageOf,
  NOT_FOUND,
  Refused,
  type Resource,
  readAnswer,
  refusedBy,
} from "../cloud.ts";
import { isInterface, marked, markedInNeutron, markIn } from "../marks.ts";
import { idByName, PLACES } from "../names.ts";

const linkOf = async (at: At): Promise<Link> => {
  const { properties } = at.call;
  const router = await idByName(at, PLACES.router, textOf(properties["router"]));
  const port = textOf(properties["port"]);
  return port === ""
    ? {
        router,
        by: "subnet_id",
        id: await idByName(at, PLACES.subnet, textOf(properties["subnet"])),
      }
    : { router, by: "port_id", id: await idByName(at, PLACES.port, port) };
};

const portSchema = z.looseObject({
  id: z.string(),
  description: z._default(z.nullable(z.string()), null),
});
const ports = z.object({ ports: z.array(portSchema) });

type InterfacePort = z.infer<typeof portSchema>;

const portOf = async (at: At, { router, by, id }: Link): Promise<InterfacePort | null> => {
  const query = {
    device_id: router,
    ...(by === "port_id" ? { id } : { fixed_ips: `subnet_id=${id}` }),
  };
  const answer = await askNeutron(at, { method: "GET", path: "/ports", query });
  return readAnswer(ports, answer).ports[0] ?? null;
};

const portLater = (at: At, link: Link): Promise<InterfacePort | null> =>
  lookTwice(at, () => portOf(at, link));

const change = (at: At, link: Link, verb: "add" | "remove") =>
  askNeutron(at, {
    method: "PUT",
    path: `/routers/${link.router}/${verb}_router_interface`,
    json: { [link.by]: link.id },
  });

/** All versions of a resource have one mark, because a replacement may have the same interface. */
const ownMark = ({ call }: At): string => idOf(`${call.stackId}/${call.resourceName}`);

/** Whether the interface belongs to another resource. A port of the template has its own mark. */
const isOthers = (at: At, { by }: Link, port: InterfacePort | null): boolean => {
  const mark = by === "port_id" ? null : markIn(port?.description);
  return mark !== null && mark !== ownMark(at);
};

/** Ignores a refusal, because an interface without a mark can be deleted too. */
const describe = async (at: At, { by }: Link, port: InterfacePort): Promise<void> => {
  if (by === "port_id" || markIn(port.description) !== null) return;
  const { cloud, call } = at;
  const json = { port: { description: marked("", ownMark(at)) } };
  const path = `/ports/${port.id}`;
  await cloud.ask({ service: "network", method: "PUT", path, json, signal: call.signal });
};

const interfacePort = z.object({
  device_id: z.string(),
  fixed_ips: z.array(z.object({ subnet_id: z.string() })),
});

/** @returns the physical id of the interface, or null for another port */
const linkIn = (port: Resource): string | null => {
  if (!isInterface(port)) return null;
  const { device_id: router, fixed_ips: addresses } = interfacePort.parse(port);
  const [first] = addresses;
  return first === undefined ? null : textOfLink({ router, by: "subnet_id", id: first.subnet_id });
};

const taken = (link: Link): Answer => ({
  state: "failed",
  reason: `The router ${link.router} has an interface in the subnet ${link.id} already.`,
});

const finished = async (at: At, link: Link, port: InterfacePort): Promise<Answer> => {
  if (isOthers(at, link, port)) return taken(link);
  await describe(at, link, port);
  return { state: "finished", physicalId: textOfLink(link) };
};

/**
 * A router has one interface in a subnet, so Neutron refuses a repeated call. An interface without
 * a mark is that of a lost call, or was made by hand.
 */
const create = async (at: At): Promise<Answer> => {
  const link = await linkOf(at);
  const answer = await change(at, link, "add");
  try {
    const port = await portLater(at, link);
    if (port !== null) return await finished(at, link, port);
  } catch (error) {
    if (!(error instanceof Refused && isSuccess(answer))) throw error;
    const reason = `OpenStack: ${error.message}`;
    return { state: "failed", reason, physicalId: textOfLink(link) };
  }
  if (!isSuccess(answer)) throw refusedBy(answer);
  return { state: "finished", physicalId: textOfLink(link) };
};

const check = async (at: At<ObjectCall>): Promise<Answer> => {
  const link = readLink(at.call.physicalId);
  const port = link && (await portLater(at, link));
  return {
    state: link === null || port === null || isOthers(at, link, port) ? "gone" : "finished",
  };
};

const remove = async (at: At<Step>): Promise<Answer> => {
  const link = readLink(at.call.physicalId);
  if (link === null || isOthers(at, link, await portOf(at, link))) return { state: "finished" };
  const answer = await change(at, link, "remove");
  if (isSuccess(answer) || answer.status === NOT_FOUND) return { state: "finished" };
  if ((await portLater(at, link)) === null) return { state: "finished" };
  if (answer.status === CONFLICT) return inUse(at, messageOf(answer));
  throw refusedBy(answer);
};

export const routerInterface = (site: Site): ProvidedType => ({
  description: "A connection of a router to a subnet.",
  properties: ROUTER_INTERFACE_PROPERTIES,
  tokens: "kept",
  ...stepsIn(site, { create, remove, check }),
  marked: markedInNeutron(site, "ports", linkIn),
});
