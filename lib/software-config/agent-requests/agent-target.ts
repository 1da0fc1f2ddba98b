/** Whom an agent's URL is about, before its signature is known to be good. */
import type { SignalTarget } from "#lib/model/deployment.ts";
import type { EvidenceTarget } from "#lib/model/evidence.ts";
import type { ServerRecord } from "#lib/model/server.ts";
import type { Ports } from "#lib/ports/ports.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** All our ids have this form, so anything else need not be looked up. */
const isId = (text: string): boolean => UUID.test(text);

/** What a log line may say of a path's id: anything that is none may be a badly escaped URL, signature and all. */
export const loggableId = (text: string): string => (isId(text) ? text : "(no id)");

const targetOf = (server: ServerRecord): EvidenceTarget => ({
  tenant: server.tenant,
  stackId: server.stackId,
  serverId: server.id,
  deploymentId: null,
});

interface Found<Subject> {
  /** What the URL is for; null where the id is none of this kind. */
  readonly subject: Subject | null;
  /** A server's id where a derived config's is wanted, or the other way round, still tells whom it is about. */
  readonly target: EvidenceTarget | null;
}

const NOBODY = { subject: null, target: null } as const;

export const findServer = async (
  { softwareConfigs }: Pick<Ports, "softwareConfigs">,
  id: string,
): Promise<Found<ServerRecord>> => {
  if (!isId(id)) return NOBODY;
  const server = await softwareConfigs.getServer(id);
  if (server !== null) return { subject: server, target: targetOf(server) };
  return { subject: null, target: await softwareConfigs.getSignalTarget(id) };
};

export const findSignalTarget = async (
  { softwareConfigs }: Pick<Ports, "softwareConfigs">,
  id: string,
): Promise<Found<SignalTarget>> => {
  if (!isId(id)) return NOBODY;
  const target = await softwareConfigs.getSignalTarget(id);
  if (target !== null) return { subject: target, target };
  const server = await softwareConfigs.getServer(id);
  return { subject: null, target: server && targetOf(server) };
};
