import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";

const EVENT_REASON_CHARS_MAX = 1_000;

/**
 * Each signal makes an event, even if its text is the same as before. If the row has begun another
 * action by now, no event is made. A long text is cut, but `effect` is kept in full.
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
