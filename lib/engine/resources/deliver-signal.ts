import { clearHook, waitsAtHook } from "#lib/convergence/hook.ts";
import { actionInProgress, RequestError } from "#lib/errors.ts";
import type { Json } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { signalRow } from "#lib/software-config/signals/receive-signal.ts";
import { rowsNamed } from "#lib/stack/planned-rows.ts";
import { standingRow } from "#lib/stack/standing-rows.ts";
import { hookNamed } from "#lib/template/environment/resource-hooks.ts";
import { WRITE_ATTEMPTS_MAX } from "../stacks/accept.ts";
import { findLivingStack, type StackIdentity } from "../stacks/find-stack.ts";
import { resourceNotFound } from "./resource-view.ts";
import { showResource } from "./show-resource.ts";

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

/** The text that Heat prints: `TestResource "web" [physical id] Stack "app" [id]`. */
const resourceText = (stack: Stack, type: string, name: string, row: Resource | null): string => {
  const physicalId = row?.physicalResourceId ? ` [${row.physicalResourceId}]` : "";
  return `${type.split("::").at(-1)} "${name}"${physicalId} Stack "${stack.name}" [${stack.id}]`;
};

const invalidHook = (message: string): RequestError =>
  new RequestError("InvalidBreakPointHook", 400, message);

/**
 * Lets a resource continue that waits at a hook. Throws 404 for an unknown name, and 400
 * InvalidBreakPointHook if the resource does not wait there or another request has cleared the
 * hook.
 */
export const clearResourceHook = async (
  ports: Ports,
  identity: StackIdentity,
  name: string,
  word: Json,
): Promise<void> => {
  const known = await findLivingStack(ports, identity);
  for (let attempts = 0; attempts < WRITE_ATTEMPTS_MAX; attempts += 1) {
    // The rows are read first: a newer traversal stamps the row, and the write is then refused.
    const rows = await rowsNamed(ports, known.id, name);
    const stack = await findLivingStack(ports, identity);
    const view = rows.length === 0 ? await showResource(ports, identity, name, []) : null;
    const type = rows.at(-1)?.type || view?.type || "";
    const resource = resourceText(stack, type, name, rows.at(-1) ?? null);
    const hook = hookNamed(word);
    if (hook === null) throw invalidHook(`Invalid hook type "${String(word)}" for ${resource}`);
    const row = rows.find((one) => waitsAtHook(stack, one, hook));
    if (!row?.pause) throw invalidHook(`The "${hook}" hook is not defined on ${resource}`);
    if (await clearHook(ports, row, row.pause)) return;
  }
  throw actionInProgress(known.name, known.action);
};
