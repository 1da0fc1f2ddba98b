/**
 * What all kinds of handles share: an id, a signed URL that contains it, and a log of what was
 * sent.
 */
import type { Ports } from "#lib/ports/ports.ts";
import type { Handler, ProviderCall } from "#lib/ports/resource-type.ts";
import { signalUrl } from "#lib/software-config/agent-requests/urls.ts";
import { deleteWaitLog } from "./wait-log.ts";

const DAY_MS = 24 * 3_600_000;
/** How long its URL is known: longer than any stack lives. */
const HANDLE_MS_MAX = 100 * 365 * DAY_MS;
const DELETED_HANDLE_MS = 30 * DAY_MS;
const NEVER_EXPIRES = 0;
const GEN = 1;

export const handleUrl = (engine: Ports, { tenant }: ProviderCall, id: string): string =>
  signalUrl(engine, { tenant, id, exp: NEVER_EXPIRES, gen: GEN });

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

type Deleted = Pick<ProviderCall, "tenant" | "stackId" | "physicalResourceId">;

/** Without this, the targets of all URLs of deleted stacks would be kept for a century. */
const forgetUrl = async (
  { softwareConfigs, clock }: Pick<Ports, "softwareConfigs" | "clock">,
  { tenant, stackId, physicalResourceId: id }: Deleted,
): Promise<void> => {
  const target = id === null ? null : await softwareConfigs.getSignalTarget(id);
  if (target?.tenant !== tenant || target.stackId !== stackId) return;
  const expiresAt = Math.min(target.expiresAt, clock.now() + DELETED_HANDLE_MS);
  await softwareConfigs.replaceSignalTarget({ ...target, expiresAt });
};

export const deleteUrl =
  (engine: Ports): Handler =>
  async (call) => {
    await forgetUrl(engine, call);
    return { state: "finished", physicalResourceId: null };
  };

export const deleteHandle =
  (engine: Ports): Handler =>
  async (call, context) => {
    const { tenant, stackId, physicalResourceId: handleId } = call;
    if (handleId !== null) await deleteWaitLog(engine, { tenant, stackId, handleId });
    return deleteUrl(engine)(call, context);
  };
