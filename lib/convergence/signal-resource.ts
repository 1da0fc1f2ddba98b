/**
 * P12: what a signal does to its row, after the signal itself is stored. Of the fields that a
 * completing visit compares, it changes `signals` only. A visit that is about to write "not yet"
 * then looks again.
 */
import type { Ports } from "#lib/ports/ports.ts";
import { visitOfOwner } from "./messages.ts";

export interface SignalledOperation {
  readonly tenant: string;
  readonly stackId: string;
  readonly resourceId: string;
  readonly generation: number;
}

/**
 * One write on the row, on condition that its operation has this generation. A final signal then
 * sends the operation's visit. A signal for an older generation has no effect.
 */
export const signalResource = async (
  ports: Ports,
  target: SignalledOperation,
  /**
   * `reason` null: the signal makes no event, because the end of a nested stack has its own events.
   */
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
