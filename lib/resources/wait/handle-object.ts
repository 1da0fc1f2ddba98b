/** What every kind of handle is: an id, a signed URL with it, and a log of what came to the URL. */
import type { Ports } from "#lib/ports/ports.ts";
import type { Handler, ProviderCall } from "#lib/ports/resource-type.ts";
import { signalUrl } from "#lib/software-config/agent-requests/urls.ts";
import { deleteWaitLog } from "./wait-log.ts";

const DAY_MS = 24 * 3_600_000;
/** How long its URL is known: longer than any wait, and long enough to answer late senders. */
const HANDLE_MS_MAX = 5 * 365 * DAY_MS;
const NEVER_EXPIRES = 0;
const GEN = 1;

/** The URL is valid for the handle's whole life. */
export const handleUrl = (engine: Ports, { tenant }: ProviderCall, id: string): string =>
  signalUrl(engine, { tenant, id, exp: NEVER_EXPIRES, gen: GEN });

/** A repeated call makes the same handle. */
export const makeHandle = async (engine: Ports, call: ProviderCall): Promise<string> => {
  const id = engine.ids.derive(call.token);
  const { tenant, stackId, resourceId, generation } = call;
  await engine.softwareConfigs.putSignalTarget({
    derivedConfigId: id,
    tenant,
    stackId,
    resourceId,
    serverId: id,
    deploymentId: null,
    generation,
    expiresAt: engine.clock.now() + HANDLE_MS_MAX,
  });
  return id;
};

export const deleteHandle =
  (engine: Ports): Handler =>
  async ({ tenant, stackId, physicalResourceId: handleId }) => {
    if (handleId !== null) await deleteWaitLog(engine, { tenant, stackId, handleId });
    return { state: "finished", physicalResourceId: null };
  };
