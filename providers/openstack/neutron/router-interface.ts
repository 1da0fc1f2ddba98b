/** OS::Neutron::RouterInterface. Its id is made of its parts, as in Heat. */
import * as z from "zod/mini";
import type { Answer, ObjectCall, ProvidedType } from "#provider/provider.ts";
import { ROUTER_INTERFACE_PROPERTIES } from "../../network-schemas.ts";
import { type RouterLink as Link, readLink, textOfLink } from "../../router-link.ts";
import { textOf } from "../../values.ts";
import { type At, asked, inUse, lookTwice, type Site } from "../asked.ts";
import { CONFLICT, isSuccess, messageOf, NOT_FOUND, readAnswer, refusedBy } from "../cloud.ts";
import { idByName, PLACES } from "../names.ts";
import { askNeutron } from "../services.ts";

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

const ports = z.object({ ports: z.array(z.looseObject({ id: z.string() })) });

const isThere = async (at: At, link: Link): Promise<boolean> =>
  (await lookTwice(at, async () => ((await portsOf(at, link)) > 0 ? link : null))) !== null;

const portsOf = async (at: At, link: Link): Promise<number> => {
  const { router, by, id } = link;
  const query = {
    device_id: router,
    ...(by === "port_id" ? { id } : { fixed_ips: `subnet_id=${id}` }),
  };
  const answer = await askNeutron(at, { method: "GET", path: "/ports", query });
  return readAnswer(ports, answer).ports.length;
};

const change = (at: At, link: Link, verb: "add" | "remove") =>
  askNeutron(at, {
    method: "PUT",
    path: `/routers/${link.router}/${verb}_router_interface`,
    json: { [link.by]: link.id },
  });

/** A router has one interface in a subnet, so a repeated call is refused. */
const create = async (at: At): Promise<Answer> => {
  const link = await linkOf(at);
  const answer = await change(at, link, "add");
  if (!isSuccess(answer) && !(await isThere(at, link))) throw refusedBy(answer);
  return { state: "finished", physicalId: textOfLink(link) };
};

const check = async (at: At<ObjectCall>): Promise<Answer> => {
  const link = readLink(at.call.physicalId);
  return { state: link !== null && (await isThere(at, link)) ? "finished" : "gone" };
};

const remove = async (at: At<ObjectCall>): Promise<Answer> => {
  const link = readLink(at.call.physicalId);
  if (link === null) return { state: "finished" };
  const answer = await change(at, link, "remove");
  if (isSuccess(answer) || answer.status === NOT_FOUND) return { state: "finished" };
  if (!(await isThere(at, link))) return { state: "finished" };
  if (answer.status === CONFLICT) return inUse(at, messageOf(answer));
  throw refusedBy(answer);
};

export const routerInterface = (site: Site): ProvidedType => ({
  description: "A connection of a router to a subnet.",
  properties: ROUTER_INTERFACE_PROPERTIES,
  tokens: "kept",
  create: (call) => asked(site, call, create),
  check: (call) => asked(site, call, check),
  delete: (call) => asked(site, call, remove),
  poll: (call) => asked(site, call, remove),
  cancel: async () => undefined,
});
