import type { JsonObject } from "#lib/json.ts";
import type { SignalTarget } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Progress, ProviderCall, ResourceContext } from "#lib/ports/resource-type.ts";
import { rowsWhere } from "#lib/stack/planned-rows.ts";
import {
  appendToWaitLog,
  readWaitLog,
  type WaitHandle,
  type WaitLogEntry,
  waitStateOf,
} from "./wait-log.ts";

/**
 * What wait conditions and Swift signals share: they wait until their handle has enough signals.
 * Each signal wakes them; polls are used in case that is lost.
 */
export const TIMEOUT_SECONDS_MAX = 43_200;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A template names a handle by its id, or by its URL, whose last segment is the id. */
export const handleIdOf = (handle: string, takesIds: boolean): string | null => {
  if (UUID.test(handle)) return takesIds ? handle : null;
  const id = URL.canParse(handle) ? new URL(handle).pathname.split("/").at(-1) : undefined;
  return id !== undefined && UUID.test(id) ? id : null;
};

export type FoundHandle =
  | { readonly handle: WaitHandle }
  | {
      readonly handle: null;
      /** What the id refers to in any stack, or null when it refers to nothing. */
      readonly target: SignalTarget | null;
    };

export const findHandle = async (
  engine: Ports,
  { tenant, stackId }: ProviderCall,
  handleId: string | null,
  isHandle: (type: string) => boolean,
): Promise<FoundHandle> => {
  const target = await targetOf(engine, handleId);
  if (target === null || handleId === null) return { handle: null, target };
  if (target.tenant !== tenant || target.stackId !== stackId) return { handle: null, target };
  const row = await engine.store.getResource({ stackId, id: target.resourceId });
  return row?.physicalResourceId === handleId && isHandle(row.type)
    ? { handle: { tenant, stackId, handleId } }
    : { handle: null, target };
};

const targetOf = async (
  { softwareConfigs }: Pick<Ports, "softwareConfigs">,
  handleId: string | null,
): Promise<SignalTarget | null> => {
  const target = handleId === null ? null : await softwareConfigs.getSignalTarget(handleId);
  return target?.deploymentId === null ? target : null;
};

export const nameOfObject = async (
  ports: Pick<Ports, "store">,
  stackId: string,
  physicalId: string | null,
): Promise<string | null> => {
  if (physicalId === null) return null;
  const named = await rowsWhere(ports, stackId, (row) => row.physicalResourceId === physicalId);
  return named[0]?.name ?? null;
};

export const logOfHandle = (
  engine: Ports,
  { tenant, stackId }: Pick<ProviderCall, "tenant" | "stackId">,
  handleId: string | null,
): Promise<readonly WaitLogEntry[]> =>
  readWaitLog(engine, { tenant, stackId, handleId: handleId ?? "" });

/** Each later signal to the handle wakes the resource. */
export const joinWaiters = async (
  engine: Ports,
  handle: WaitHandle,
  { resourceId, generation }: ProviderCall,
): Promise<readonly WaitLogEntry[]> => {
  const log = await readWaitLog(engine, handle);
  const isKnown = waitStateOf(log).waiters.some(
    (one) => one.resourceId === resourceId && one.generation === generation,
  );
  return isKnown
    ? log
    : appendToWaitLog(engine, handle, { entry: "waiter", resourceId, generation });
};

export type WaitVerdict =
  | { readonly verdict: "complete" | "waiting" }
  | { readonly verdict: "failed"; readonly errorType: string; readonly reason: string };

export const failedWait = (errorType: string, reason: string): WaitVerdict => ({
  verdict: "failed",
  errorType,
  reason,
});

export const timedOut = (
  errorType: string,
  received: readonly string[],
  count: number,
): WaitVerdict => {
  const number = `${received.length} of ${count} received`;
  const reason = received.length === 0 ? number : `${number} - ${received.join(";")}`;
  return failedWait(errorType, reason);
};

/** Polls get rarer with time. */
const POLL_MS_MIN = 5_000;
const POLL_MS_MAX = 30_000;

export interface Look {
  readonly call: ProviderCall;
  readonly context: ResourceContext;
  readonly startedAt: number;
}

export const waitProgress = (
  { call, context, startedAt }: Look,
  timeoutSeconds: number,
  judge: (isOver: boolean) => WaitVerdict,
  attributes: JsonObject,
): Progress => {
  const physicalResourceId = call.physicalResourceId ?? context.ids.derive(call.token);
  const now = context.clock.now();
  const leftMs = startedAt + timeoutSeconds * 1_000 - now;
  const found = judge(leftMs <= 0);
  if (found.verdict === "failed") {
    const { reason, errorType } = found;
    return { state: "failed", reason, errorType, physicalResourceId, attributes };
  }
  if (found.verdict === "complete") {
    return { state: "finished", physicalResourceId, attributes, refId: call.resourceName };
  }
  const pollAfterMs = Math.min(Math.max(now - startedAt, POLL_MS_MIN), POLL_MS_MAX, leftMs);
  return { state: "waiting", handle: String(startedAt), pollAfterMs, physicalResourceId };
};
