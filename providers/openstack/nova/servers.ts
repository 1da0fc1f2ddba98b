import * as z from "zod/mini";
import type { JsonObject } from "#provider/provider.ts";
import { type At, askNeutron, askNova, type Site } from "../asked.ts";
import { CONFLICT, expectGone, readAnswer, readIfThere, recordOf } from "../cloud.ts";
import { markedIn, markInTag, namesIn, tagOf } from "../marks.ts";

const address = z.looseObject({ addr: z.string(), version: z.number() });

const serverSchema = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  created: z._default(z.string(), ""),
  "OS-EXT-STS:task_state": z.optional(z.nullable(z.string())),
  "OS-EXT-SRV-ATTR:instance_name": z.optional(z.nullable(z.string())),
  /** An empty text if the server booted from a volume. */
  image: z.union([z.literal(""), z.null(), z.object({ id: z.string() })]),
  flavor: z.object({ original_name: z.string() }),
  fault: z.optional(z.object({ message: z.string() })),
  accessIPv4: z._default(z.string(), ""),
  accessIPv6: z._default(z.string(), ""),
  metadata: z._default(recordOf(z.string()), {}),
  tags: z._default(z.array(z.string()), []),
  addresses: z._default(
    recordOf(z.array(z.intersection(address, z.record(z.string(), z.json())))),
    {},
  ),
});

export type NovaServer = z.infer<typeof serverSchema>;

export const ERROR = "ERROR";

const one = z.object({ server: serverSchema });
const many = z.object({ servers: z.array(serverSchema) });

export const markedServers = (site: Site) =>
  markedIn(
    site,
    { service: "compute", path: "/servers/detail", member: "servers", item: serverSchema },
    ({ tags, metadata }) => {
      const [physicalId] = tags.flatMap((tag) => markInTag(tag) ?? []);
      return physicalId === undefined ? null : { physicalId, ...namesIn(metadata) };
    },
  );

const isBefore = (left: NovaServer, right: NovaServer): boolean =>
  left.created === right.created ? left.id < right.id : left.created < right.created;

/** The oldest first, so that every call keeps the same server. */
export const serversWithTag = async (at: At, tag: string): Promise<readonly NovaServer[]> => {
  const query = { tags: tag };
  const answer = await askNova(at, { method: "GET", path: "/servers/detail", query });
  const { servers } = readAnswer(many, answer);
  return servers.toSorted((left, right) => (isBefore(left, right) ? -1 : 1));
};

export const serversWithMark = (at: At, mark: string): Promise<readonly NovaServer[]> =>
  serversWithTag(at, tagOf(mark));

export const serverWithId = async (at: At, id: string): Promise<NovaServer | null> => {
  const path = `/servers/${encodeURIComponent(id)}`;
  return readIfThere(one, await askNova(at, { method: "GET", path }))?.server ?? null;
};

const BROKEN: readonly string[] = [ERROR, "DELETED", "SOFT_DELETED"];

export const isBroken = ({ status }: NovaServer): boolean => BROKEN.includes(status);

/** A server that Hearth did not make has Nova's id. */
export const serversOf = async (at: At, physicalId: string): Promise<readonly NovaServer[]> => {
  const found = await serversWithMark(at, physicalId);
  if (found.length > 0) return found;
  const foreign = await serverWithId(at, physicalId);
  return foreign === null ? [] : [foreign];
};

export const serverOf = async (at: At, physicalId: string): Promise<NovaServer | null> =>
  (await serversOf(at, physicalId))[0] ?? null;

export const deleteServer = async (at: At, id: string): Promise<boolean> => {
  const answer = await askNova(at, { method: "DELETE", path: `/servers/${id}` });
  if (answer.status === CONFLICT) return false;
  expectGone(answer);
  return true;
};

const portList = z.object({
  ports: z.array(
    z.object({
      id: z.string(),
      network_id: z.string(),
      fixed_ips: z.array(z.object({ ip_address: z.string(), subnet_id: z.string() })),
    }),
  ),
});

/** As in Heat, addresses are listed under the name and the id of each network. */
export const networksIn = async (at: At, server: NovaServer): Promise<JsonObject> => {
  const query = { device_id: server.id };
  const answer = await askNeutron(at, { method: "GET", path: "/ports", query });
  const { ports } = readAnswer(portList, answer);
  const entries = Object.entries(server.addresses).flatMap(([name, listed]) => {
    const whole = listed.map((each) => {
      const port = ports.find(({ fixed_ips: ips }) =>
        ips.some((ip) => ip.ip_address === each.addr),
      );
      return { ...each, port: port?.id ?? null, network: port?.network_id ?? null };
    });
    const id = whole.find(({ network }) => network !== null)?.network ?? null;
    return [name, ...(id === null ? [] : [id])].map((key) => [key, whole] as const);
  });
  const [first] = entries.flatMap(([, listed]) => listed);
  return {
    networks: Object.fromEntries(
      entries.map(([key, listed]) => [key, listed.map(({ addr }) => addr)]),
    ),
    addresses: Object.fromEntries(entries),
    first_address: first?.addr ?? "",
  };
};
