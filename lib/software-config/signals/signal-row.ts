import { RequestError } from "#lib/errors.ts";
import type { Json } from "#lib/json.ts";
import { type Resource, refusedSignal } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { resourceContext } from "#lib/stack/resource-context.ts";
import { Refusal } from "../agent-requests/evidence.ts";

const REFUSED_IN: readonly Resource["action"][] = ["SUSPEND", "DELETE"];

/** Writes one event per action that refuses signals, so that signals cannot fill the store. */
const recordRefusal = async ({ store }: Ports, row: Resource): Promise<void> => {
  const signalReason = refusedSignal(row.action);
  if (row.signalReason === signalReason) return;
  await store.writeResource(
    { stackId: row.stackId, id: row.id },
    [{ clause: "actionIs", action: row.action }],
    { set: { signalReason } },
  );
};

/**
 * Throws 400 if the type does not support signals, the resource refuses them now, or the signal
 * does not have the form that the type expects.
 */
export const signalRow = async (ports: Ports, row: Resource, details: Json): Promise<Json> => {
  const signals = (await ports.resourceTypes.get(row.type))?.signals;
  if (signals === undefined) {
    const message = "signal is not supported for resource.";
    throw new RequestError("ResourceActionNotSupported", 400, message);
  }
  if (signals.takenAlways !== true && REFUSED_IN.includes(row.action)) {
    await recordRefusal(ports, row);
    const message = `Signal resource during ${row.action} is not supported.`;
    throw new Refusal("not_valid", new RequestError("NotSupported", 400, message));
  }
  return signals.handleSignal(row, details, resourceContext(ports, row));
};
