/**
 * What the owner's provisioner says of a server, in Nova's words. Hearth makes no machines: whoever does knows why one has
 * not booted or has no address, and a diagnosis of what is to run there starts from that.
 */
import { entityNotFound } from "#lib/errors.ts";
import type { ServerFindings } from "#lib/model/sighting.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { SERVER_SIGHTING_MS_MAX } from "#lib/software-config/diagnosis/limits.ts";

export interface ServerReport {
  readonly status: NonNullable<ServerFindings["reportedStatus"]>;
  /** Null: not said; empty: there are none. */
  readonly addresses: readonly string[] | null;
  readonly fault: string | null;
}

/** The newest report counts, whole. Answers when it was taken. Throws 404 for another tenant's server too. */
export const reportServer = async (
  { softwareConfigs, clock }: Ports,
  tenant: string,
  serverId: string,
  { status, addresses, fault }: ServerReport,
): Promise<number> => {
  const server = await softwareConfigs.getServer(serverId);
  if (server?.tenant !== tenant) throw entityNotFound("Server", serverId);
  const now = clock.now();
  await softwareConfigs.noteServer(
    { tenant, stackId: server.stackId, serverId, expiresAt: now + SERVER_SIGHTING_MS_MAX },
    {
      reportedStatus: status,
      reportedAddresses: addresses,
      reportedFault: fault,
      reportedAt: now,
    },
  );
  return now;
};
