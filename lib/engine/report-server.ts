/**
 * A server's status as its provisioner reports it, in Nova's words. Hearth makes no machines. The
 * provisioner knows why one did not boot or has no address, and diagnoses begin with that.
 */
import { entityNotFound } from "#lib/errors.ts";
import type { ServerFindings } from "#lib/model/sighting.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { SERVER_SIGHTING_MS_MAX } from "#lib/software-config/diagnosis/limits.ts";

export interface ServerReport {
  readonly status: NonNullable<ServerFindings["reportedStatus"]>;
  readonly addresses: readonly string[] | null;
  readonly fault: string | null;
}

/** Replaces the last report and returns its time. Throws 404, also for another tenant's server. */
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
