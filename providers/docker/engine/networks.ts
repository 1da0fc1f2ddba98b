/**
 * Networks. Docker 20.10 allows two with the same name, so a network is found by labels and
 * addressed by id. Subnets are exclusive: the engine refuses the second network with the same one.
 */
import * as z from "zod/mini";
import {
  type Engine,
  hasAll,
  isSuccess,
  type Labels,
  labelFilter,
  labelsSchema,
  messageOf,
  NOT_FOUND,
  readAnswer,
  refusedBy,
} from "./client.ts";

const AMBIGUOUS = 400;

const networkSchema = z.object({
  Id: z.string(),
  Name: z.string(),
  Driver: z._default(z.string(), ""),
  Labels: labelsSchema,
  IPAM: z._default(
    z.object({
      Config: z.nullish(
        z.array(z.object({ Subnet: z.optional(z.string()), Gateway: z.optional(z.string()) })),
      ),
    }),
    {},
  ),
  /** The containers that run in the network, by id. A list of networks does not contain them. */
  Containers: z.nullish(z.record(z.string(), z.unknown())),
});

export type Network = z.infer<typeof networkSchema>;

const at = (id: string): string => `/networks/${encodeURIComponent(id)}`;

/** Docker answers 403, and Podman 500 or, in later versions, 409. */
const IN_USE = /active endpoints|in use|associated containers|being used/i;

export const networksOf = (engine: Engine) => ({
  /** @returns null when there is no such network, or several have the name */
  inspect: async (idOrName: string): Promise<Network | null> => {
    const answer = await engine.ask({ method: "GET", path: at(idOrName) });
    if (answer.status === NOT_FOUND || answer.status === AMBIGUOUS) return null;
    return readAnswer(networkSchema, answer);
  },
  list: async (wanted: Labels): Promise<readonly Network[]> => {
    const query = { filters: labelFilter(wanted) };
    const answer = await engine.ask({ method: "GET", path: "/networks", query });
    const found = readAnswer(z.array(networkSchema), answer);
    return found.filter(({ Labels: labels }) => hasAll(labels, wanted));
  },
  create: (json: Readonly<Record<string, unknown>>) =>
    engine.ask({ method: "POST", path: "/networks/create", json }),
  connect: (id: string, container: string, endpoint: Readonly<Record<string, unknown>>) =>
    engine.ask({
      method: "POST",
      path: `${at(id)}/connect`,
      json: { Container: container, EndpointConfig: endpoint },
    }),
  disconnect: (id: string, container: string) =>
    engine.ask({ method: "POST", path: `${at(id)}/disconnect`, json: { Container: container } }),
  /** Disconnects from a deleted network that the container still names. */
  forget: (name: string, container: string) =>
    engine.ask({
      method: "POST",
      path: `${at(name)}/disconnect`,
      json: { Container: container, Force: true },
    }),
  remove: async (id: string): Promise<"gone" | "in use"> => {
    // Podman 4.3 would remove a network in which containers still run.
    const found = await engine.ask({ method: "GET", path: at(id) });
    if (found.status === NOT_FOUND) return "gone";
    const users = readAnswer(networkSchema, found).Containers ?? {};
    if (Object.keys(users).length > 0) return "in use";
    const answer = await engine.ask({ method: "DELETE", path: at(id) });
    if (isSuccess(answer) || answer.status === NOT_FOUND) return "gone";
    if (IN_USE.test(messageOf(answer))) return "in use";
    throw refusedBy(answer);
  },
});

export type Networks = ReturnType<typeof networksOf>;
