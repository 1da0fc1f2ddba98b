/** A signal to a resource: whether the resource accepts it, and what the resource's type does. */
import { RequestError } from "#lib/errors.ts";
import type { Json } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { Refusal } from "../agent-requests/evidence.ts";

const REFUSED_IN: readonly Resource["action"][] = ["SUSPEND", "DELETE"];

/**
 * Throws 400 if the type takes no signals, the resource takes none now, or the signal does not have
 * the form that the type expects.
 */
export const signalRow = async (ports: Ports, row: Resource, details: Json): Promise<Json> => {
  const type = ports.resourceTypes.get(row.type);
  if (type?.handleSignal === undefined) {
    const message = "signal is not supported for resource.";
    throw new RequestError("ResourceActionNotSupported", 400, message);
  }
  if (type.signalledAlways !== true && REFUSED_IN.includes(row.action)) {
    const message = `Signal resource during ${row.action} is not supported.`;
    throw new Refusal("not_valid", new RequestError("NotSupported", 400, message));
  }
  return type.handleSignal(row, details, ports);
};
