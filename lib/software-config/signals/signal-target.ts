/** The record of what a signal URL is for. It must be stored before anyone sees the URL. */
import type { SignalTarget } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { signalExpiry } from "../agent-requests/urls.ts";

/** For this long after its URL's expiry a late signal still gets 410 (deleted) instead of 404. */
const SIGNAL_TARGET_MS = 30 * 24 * 3_600_000;

export const putSignalTarget = (
  { softwareConfigs }: Pick<Ports, "softwareConfigs">,
  target: Omit<SignalTarget, "expiresAt">,
  deadline: number,
): Promise<void> => {
  const { derivedConfigId, tenant, stackId, resourceId, serverId, deploymentId, generation } =
    target;
  return softwareConfigs.putSignalTarget({
    derivedConfigId,
    tenant,
    stackId,
    resourceId,
    serverId,
    deploymentId,
    generation,
    expiresAt: signalExpiry(deadline) * 1_000 + SIGNAL_TARGET_MS,
  });
};
