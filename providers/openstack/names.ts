/** Objects that a template names. As in Heat, a name that several objects have is refused. */
import * as z from "zod/mini";
import type { At } from "./asked.ts";
import {
  CONFLICT,
  NOT_FOUND,
  Refused,
  type Resource,
  readAnswer,
  resource,
  type Service,
} from "./cloud.ts";
import { askNova } from "./services.ts";

/** Where objects of a kind are listed. */
export interface Place {
  readonly service: Service;
  readonly path: string;
  /** In the answer. */
  readonly member: string;
  /** As errors say it. */
  readonly kind: string;
}

const neutron = (collection: string, kind: string): Place => ({
  service: "network",
  path: `/${collection}`,
  member: collection.replaceAll("-", "_"),
  kind,
});

export const PLACES = {
  network: neutron("networks", "Network"),
  subnet: neutron("subnets", "Subnet"),
  subnetPool: neutron("subnetpools", "Subnet pool"),
  port: neutron("ports", "Port"),
  router: neutron("routers", "Router"),
  securityGroup: neutron("security-groups", "Security group"),
  image: { service: "image", path: "/images", member: "images", kind: "Image" },
} as const satisfies Readonly<Record<string, Place>>;

/** A list in an answer, with the member that holds it. Links to further pages are left out. */
export const listSchema = (member: string): z.ZodMiniType<Readonly<Record<string, Resource[]>>> =>
  z.pipe(
    z.looseObject({ [member]: z.array(resource) }),
    z.transform((answer) => ({ [member]: z.array(resource).parse(answer[member]) })),
  );

const UUID = /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i;

/** The id of what has this id or name. Throws Refused if there is none, or more than one. */
export const idByName = async (
  { cloud, call }: Pick<At, "cloud" | "call">,
  { service, path, member, kind }: Place,
  text: string,
): Promise<string> => {
  if (UUID.test(text)) return text;
  const answer = await cloud.ask({
    service,
    method: "GET",
    path,
    query: { name: text },
    signal: call.signal,
  });
  const { [member]: found = [] } = readAnswer(listSchema(member), answer);
  const [first, ...others] = found;
  if (first === undefined)
    throw new Refused(NOT_FOUND, `The ${kind} (${text}) could not be found.`);
  if (others.length > 0) {
    throw new Refused(
      CONFLICT,
      `The ${kind} (${text}) is not unique: ${others.length + 1} have the name.`,
    );
  }
  return first.id;
};

const flavors = z.object({ flavors: z.array(z.object({ id: z.string(), name: z.string() })) });

export interface Flavor {
  readonly id: string;
  readonly name: string;
}

/** Nova has no filter for names. An id may be any text. */
export const flavorByName = async (
  at: Pick<At, "cloud" | "call">,
  text: string,
): Promise<Flavor> => {
  const found = readAnswer(flavors, await askNova(at, { method: "GET", path: "/flavors" })).flavors;
  const one = found.find(({ id }) => id === text) ?? found.find(({ name }) => name === text);
  if (one !== undefined) return one;
  throw new Refused(NOT_FOUND, `The Flavor (${text}) could not be found.`);
};
