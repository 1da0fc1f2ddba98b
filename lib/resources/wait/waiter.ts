import type { SignalTarget } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ProviderCall } from "#lib/ports/resource-type.ts";
import { rowsWhere } from "#lib/stack/planned-rows.ts";
import type { WaitHandle } from "./wait-log.ts";

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

/** Signals wake a waiting resource. The polls, in case a signal is lost, get rarer with time. */
const POLL_MS_MIN = 5_000;
const POLL_MS_MAX = 30_000;

export const pollAfterMs = (waitedMs: number, leftMs: number): number =>
  Math.min(Math.max(waitedMs, POLL_MS_MIN), POLL_MS_MAX, leftMs);
