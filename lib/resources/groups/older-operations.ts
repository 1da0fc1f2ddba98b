/** Operations on members that an overtaken change of the group has begun, and that still run. */
import { visitOfOwner } from "#lib/convergence/messages.ts";
import { BARRIER_TYPE } from "#lib/groups/barriers.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ProviderCall } from "#lib/ports/resource-type.ts";

/** Asks for a poll of each of them. A barrier that waits for them asks again. */
export const pollOlderOperations = async (
  engine: Ports,
  { tenant, stackId }: ProviderCall,
): Promise<"some" | "none"> => {
  const stack = await engine.store.getStack(tenant, stackId);
  const rows = await engine.store.listResources(stackId);
  const visits = rows.flatMap((row) => {
    const { operation, type } = row;
    // A pause holds no member up, and ends by itself.
    if (operation === null || type === BARRIER_TYPE) return [];
    return operation.traversalId === stack?.traversalId ? [] : [visitOfOwner(row, operation)];
  });
  if (visits.length > 0) await engine.queue.send("poll", visits);
  return visits.length > 0 ? "some" : "none";
};
