/** The event that a signal makes of the resource that has taken it. */
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";

const EVENT_REASON_CHARS_MAX = 1_000;

/**
 * Each call makes one, also with the same text. A row in another action by now gets none. Of a long
 * text only the beginning is kept, and all of `effect`.
 */
export const recordSignal = async (
  engine: Ports,
  row: Resource,
  text: string,
  effect = "",
): Promise<void> => {
  const beginning = `Signal: ${text}`.slice(0, EVENT_REASON_CHARS_MAX - effect.length);
  const signalReason = beginning + effect;
  await engine.store.writeResource(
    { stackId: row.stackId, id: row.id },
    [{ clause: "actionIs", action: row.action }],
    { set: { signalReason, signalId: engine.ids.fresh() } },
  );
};
