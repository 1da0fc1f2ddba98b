/**
 * A final signal raises `signals` (P12). A visit writes "not yet" only with the `signals` that it
 * has read, so its write is refused, and it looks again.
 */

import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { rowPages } from "#lib/stack/planned-rows.ts";
import { inParallel } from "./in-parallel.ts";
import { visitOfOwner } from "./messages.ts";

interface SignalledOperation {
  readonly tenant: string;
  readonly stackId: string;
  readonly resourceId: string;
  readonly generation: number;
}

/** Does nothing unless the row's operation still has this generation. */
export const signalResource = async (
  ports: Ports,
  target: SignalledOperation,
  /** `reason` is null at the end of a nested stack, which has events of its own. */
  signal: { readonly reason: string | null; readonly final: boolean },
): Promise<"woken" | "no effect"> => {
  const now = ports.clock.now();
  const event = signal.reason === null ? {} : { signalReason: signal.reason };
  const write = await ports.store.writeResource(
    { stackId: target.stackId, id: target.resourceId },
    [{ clause: "operationGenerationIs", generation: target.generation }],
    signal.final ? { set: { ...event, nextPollAt: now }, addSignal: true } : { set: event },
  );
  if (!write.written) return "no effect";
  const { operation } = write.row;
  if (!signal.final || operation === null) return "woken";
  await ports.queue.send("poll", [visitOfOwner(write.row, operation)]);
  return "woken";
};

/**
 * Tells a running DELETE not to wait any longer for servers that cannot be reached, and wakes the
 * operations that wait. A nested stack learns it from its owner's row (nested-result.ts).
 */
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
