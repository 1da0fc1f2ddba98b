/** Finds objects by id or name. As in Heat, an ambiguous name is refused. */
import * as z from "zod/mini";
import { type At, askNova } from "./asked.ts";
import {
  CONFLICT,
  NOT_FOUND,
  Refused,
  type Resource,
  readAnswer,
  resource,
  type Service,
} from "./cloud.ts";

export interface Place {
  readonly service: Service;
  readonly path: string;
  readonly member: string;
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

export const listSchema = (member: string): z.ZodMiniType<Readonly<Record<string, Resource[]>>> =>
  z.pipe(
    z.looseObject({ [member]: z.array(resource) }),
    z.transform((answer) => ({ [member]: z.array(resource).parse(answer[member]) })),
  );

const UUID = /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i;

/** Throws Refused if no object, or more than one, has the name. */
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

/** Nova cannot filter flavors by name, and the id of a flavor may be any text. */
export const flavorByName = async (
  at: Pick<At, "cloud" | "call">,
  text: string,
): Promise<Flavor> => {
  const found = readAnswer(flavors, await askNova(at, { method: "GET", path: "/flavors" })).flavors;
  const one = found.find(({ id }) => id === text) ?? found.find(({ name }) => name === text);
  if (one !== undefined) return one;
  throw new Refused(NOT_FOUND, `The Flavor (${text}) could not be found.`);
};
