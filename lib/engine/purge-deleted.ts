/**
 * Heat's `heat-manage purge_deleted`, for one project: ends the retention of deleted stacks now. It
 * works in parts, because a project may have more deleted stacks than a request has time for.
 */
import { inParallel } from "#lib/convergence/in-parallel.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { STACKS_READ_MAX } from "#lib/ports/store.ts";
import { isDeleted, isExpired } from "./find-stack.ts";
import { deletedAtOf, retireStack } from "./retire-stack.ts";

export interface PurgeRequest {
  readonly olderThanMs: number;
  readonly marker: string | null;
}

export interface PurgedPart {
  readonly purged: readonly Stack[];
  readonly nextMarker: string | null;
}

export const purgeDeleted = async (
  ports: Ports,
  tenant: string,
  { olderThanMs, marker }: PurgeRequest,
): Promise<PurgedPart> => {
  const now = ports.clock.now();
  const part = await ports.store.listStacksById(tenant, marker, STACKS_READ_MAX);
  const due = part.filter(
    (stack) =>
      isDeleted(stack) && !isExpired(stack, now) && deletedAtOf(stack) <= now - olderThanMs,
  );
  const purged = await inParallel(
    due.map((stack) => async () => ((await retireStack(ports, stack, now)) ? [stack] : [])),
  );
  const last = part.length < STACKS_READ_MAX ? undefined : part.at(-1);
  return { purged: purged.flat(), nextMarker: last?.id ?? null };
};
