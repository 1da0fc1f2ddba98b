import type { EvidenceTarget } from "#lib/model/evidence.ts";
import type { ServerRecord, SignalTarget } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const isId = (text: string): boolean => UUID.test(text);

/**
 * An id that is safe to log. Any other text may be a badly escaped URL with its signature in it.
 */
export const loggableId = (text: string): string => (isId(text) ? text : "(no id)");

const targetOf = (server: ServerRecord): EvidenceTarget => ({
  tenant: server.tenant,
  stackId: server.stackId,
  serverId: server.id,
  deploymentId: null,
});

interface FoundTarget<Subject> {
  readonly subject: Subject | null;
  /**
   * The evidence is recorded under this target, even if a URL names a server where it should name a
   * config.
   */
  readonly target: EvidenceTarget | null;
}

const NOT_FOUND = { subject: null, target: null } as const;

export const findServer = async (
  { softwareConfigs }: Pick<Ports, "softwareConfigs">,
  id: string,
): Promise<FoundTarget<ServerRecord>> => {
  if (!isId(id)) return NOT_FOUND;
  const server = await softwareConfigs.getServer(id);
  if (server !== null) return { subject: server, target: targetOf(server) };
  return { subject: null, target: await softwareConfigs.getSignalTarget(id) };
};

export const findSignalTarget = async (
  { softwareConfigs }: Pick<Ports, "softwareConfigs">,
  id: string,
): Promise<FoundTarget<SignalTarget>> => {
  if (!isId(id)) return NOT_FOUND;
  const target = await softwareConfigs.getSignalTarget(id);
  if (target !== null) return { subject: target, target };
  const server = await softwareConfigs.getServer(id);
  return { subject: null, target: server && targetOf(server) };
};
