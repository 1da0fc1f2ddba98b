/** A signal to a resource, whichever way it came: whether it is taken at all, and then what its type makes of it. */
import { RequestError } from "#lib/errors.ts";
import type { Json } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { Refusal } from "../agent-requests/evidence.ts";

const REFUSED_IN: readonly Resource["action"][] = ["SUSPEND", "DELETE"];

/** Throws 400: a type that takes no signals, a resource that takes none now, or a signal that is not of the type's form. */
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
