/**
 * P12: what a signal does to its row, after its item is stored. It touches no field that a completing
 * visit compares, except `signals`, which makes a visit that is about to say "not yet" look again.
 */
import type { Ports } from "#lib/ports/ports.ts";
import { checkResourceMessage } from "./messages.ts";

export interface SignalledOperation {
  readonly tenant: string;
  readonly stackId: string;
  readonly resourceId: string;
  readonly generation: number;
}

/**
 * One conditional write on the row, if its operation still has that generation; for a final signal
 * then the check. A signal for an older generation is without effect here.
 */
export const signalResource = async (
  ports: Ports,
  target: SignalledOperation,
  /** Without a reason it is no event: what it tells of has events of its own. */
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
  const owner = { ...target, traversalId: operation.traversalId };
  const node = { resourceId: target.resourceId, isUpdate: operation.isUpdate };
  await ports.queue.send("poll", [checkResourceMessage(owner, node)]);
  return "woken";
};
