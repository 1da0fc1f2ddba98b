import { RequestError } from "#lib/errors.ts";
import type { Json } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { signalRow } from "#lib/software-config/signals/signal-row.ts";
import { standingRow } from "#lib/stack/standing-rows.ts";
import { findLivingStack, type StackIdentity } from "./find-stack.ts";
import { resourceNotFound } from "./resource-view.ts";

export const deliverSignal = async (
  ports: Ports,
  identity: StackIdentity,
  name: string,
  details: Json,
): Promise<void> => {
  const stack = await findLivingStack(ports, identity);
  const row = await standingRow(ports, stack, name);
  if (row === null) throw resourceNotFound(name, stack);
  if (row.physicalResourceId === null) {
    throw new RequestError("ResourceNotAvailable", 404, `The Resource (${name}) is not available.`);
  }
  await signalRow(ports, row, details);
};
