/**
 * Networks. Docker 20.10 takes two of one name, so a network is found by its labels and addressed
 * by its id. An explicit subnet is exclusive: of two creations with one, the second is refused.
 */
import * as z from "zod/mini";
import {
  type Engine,
  type EngineAnswer,
  isSuccess,
  messageOf,
  NOT_FOUND,
  readAnswer,
  refusedBy,
} from "./client.ts";
import { hasAll, labelFilter, labelsSchema } from "./labels.ts";

/** Docker's answer to a name that several networks have. */
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
  /** By id, those that run in it. A list of networks has none. */
  Containers: z.nullish(z.record(z.string(), z.unknown())),
});

export type Network = z.infer<typeof networkSchema>;

export interface Networks {
  /** By id, or by a name that one network has. Null: none, or several of the name. */
  inspect(idOrName: string): Promise<Network | null>;
  list(labels: Readonly<Record<string, string>>): Promise<readonly Network[]>;
  /** The engine's answer, whatever it is. */
  create(spec: Readonly<Record<string, unknown>>): Promise<EngineAnswer>;
  /** The engine's answer, whatever it is. */
  connect(
    id: string,
    container: string,
    endpoint: Readonly<Record<string, unknown>>,
  ): Promise<EngineAnswer>;
  /** The engine's answer, whatever it is. A running container goes on without the network. */
  disconnect(id: string, container: string): Promise<EngineAnswer>;
  /** The same of a network that is gone, by its name, of which the container still knows. */
  forget(name: string, container: string): Promise<EngineAnswer>;
  /** Gone, or why not yet: something is connected to it. */
  remove(id: string): Promise<"gone" | "in use">;
}

const at = (id: string): string => `/networks/${encodeURIComponent(id)}`;

/** Docker says 403, Podman says 500, or 409 in later versions. */
const IN_USE = /active endpoints|in use|associated containers|being used/i;

export const networksOf = (engine: Engine): Networks => ({
  inspect: async (idOrName) => {
    const answer = await engine.ask({ method: "GET", path: at(idOrName) });
    if (answer.status === NOT_FOUND || answer.status === AMBIGUOUS) return null;
    return readAnswer(networkSchema, answer);
  },
  list: async (wanted) => {
    const query = { filters: labelFilter(wanted) };
    const answer = await engine.ask({ method: "GET", path: "/networks", query });
    const found = readAnswer(z.array(networkSchema), answer);
    return found.filter(({ Labels: labels }) => hasAll(labels, wanted));
  },
  create: (json) => engine.ask({ method: "POST", path: "/networks/create", json }),
  connect: (id, container, endpoint) =>
    engine.ask({
      method: "POST",
      path: `${at(id)}/connect`,
      json: { Container: container, EndpointConfig: endpoint },
    }),
  disconnect: (id, container) =>
    engine.ask({ method: "POST", path: `${at(id)}/disconnect`, json: { Container: container } }),
  forget: (name, container) =>
    engine.ask({
      method: "POST",
      path: `${at(name)}/disconnect`,
      json: { Container: container, Force: true },
    }),
  remove: async (id) => {
    // Podman 4.3 removes a network under the containers that run in it.
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
