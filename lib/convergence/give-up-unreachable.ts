/**
 * Tells a running DELETE not to wait any longer for servers that cannot be reached, and wakes the
 * operations that wait. A nested stack learns it from its owner's row (nested-result.ts).
 */
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { rowPages } from "#lib/stack/planned-rows.ts";
import { inParallel } from "./in-parallel.ts";
import { type SignalledOperation, signalResource } from "./signal-resource.ts";

export const giveUpUnreachable = async (ports: Ports, stack: Stack): Promise<Stack | null> => {
  const { tenant, id: stackId, traversalId } = stack;
  const write = await ports.store.writeStack(
    tenant,
    stackId,
    [{ clause: "traversalIs", traversalId }, { clause: "inProgress" }],
    { abandonsUnreachable: true },
  );
  if (!write.written) return null;
  const waiting: SignalledOperation[] = [];
  for await (const rows of rowPages(ports, stackId)) {
    for (const { id: resourceId, operation } of rows) {
      if (operation?.action === "DELETE" && operation.handle !== null)
        waiting.push({ tenant, stackId, resourceId, generation: operation.generation });
    }
  }
  await inParallel(
    waiting.map((one) => () => signalResource(ports, one, { reason: null, final: true })),
  );
  return write.stack;
};
