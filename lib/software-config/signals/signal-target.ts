/** What a signal URL stands for. It is stored before anyone sees the URL. */
import type { SignalTarget } from "#lib/model/deployment.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { signalExpiry } from "../agent-requests/urls.ts";

/** How long after its URL's end a late signal still gets 410 (deleted) instead of 404. */
const SIGNAL_TARGET_MS = 30 * 24 * 3_600_000;

/** `deadline` is the operation's, in milliseconds. */
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
