import { entityNotFound } from "#lib/errors.ts";
import { REFUSED_KINDS } from "#lib/model/evidence.ts";
import {
  NOTHING_SEEN_OF_SERVER,
  type SeenPolls,
  type ServerFindings,
} from "#lib/model/sighting.ts";
import type { ServerRecord } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { NOT_POLLING_MS, SURELY_NOT_POLLING_MS } from "./limits.ts";
import { shardsOf, withLastCall } from "./poll-memory.ts";

interface ServerContact {
  readonly server: ServerRecord;
  readonly seen: ServerFindings;
  readonly contact: AgentContact;
  readonly refusedPolls: number;
  readonly refusedAt: number | null;
}

/** Throws 404, also for another tenant's server. */
export const contactOfServer = async (
  { softwareConfigs, clock }: Pick<Ports, "softwareConfigs" | "clock">,
  tenant: string,
  serverId: string,
): Promise<ServerContact> => {
  const server = await softwareConfigs.getServer(serverId);
  if (server?.tenant !== tenant) throw entityNotFound("Server", serverId);
  const [sighting, rolls, evidence] = await Promise.all([
    softwareConfigs.getServerSighting(serverId),
    Promise.all(shardsOf(serverId).map(softwareConfigs.listPollRolls)),
    softwareConfigs.listEvidence(serverId),
  ]);
  const seen =
    sighting?.tenant === tenant ? withLastCall(sighting, rolls.flat()) : NOTHING_SEEN_OF_SERVER;
  const refusals = evidence.filter(
    (one) => one.tenant === tenant && one.deploymentId === null && REFUSED_KINDS.includes(one.kind),
  );
  const refusedAt = refusals.reduce<number | null>(
    (last, one) => Math.max(one.lastSeenAt, last ?? 0),
    null,
  );
  const contact = agentContact({ polledAt: seen.lastPollAt, refusedAt }, clock.now());
  const refusedPolls = refusals.reduce((sum, { count }) => sum + count, 0);
  return { server, seen, contact, refusedPolls, refusedAt };
};

/** After this time a refused agent counts as silent. */
const REFUSED_MS_MAX = 3_600_000;

export type AgentContact = "polls" | "refused" | "silent" | "unseen";

export const agentContact = ({ polledAt, refusedAt }: SeenPolls, now: number): AgentContact => {
  const isRefused =
    refusedAt !== null &&
    now - refusedAt < REFUSED_MS_MAX &&
    refusedAt - (polledAt ?? 0) > NOT_POLLING_MS;
  if (isRefused) return "refused";
  if (polledAt === null) return "unseen";
  return now - polledAt > SURELY_NOT_POLLING_MS ? "silent" : "polls";
};
