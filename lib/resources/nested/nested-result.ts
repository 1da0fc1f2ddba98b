/** How an operation on a stack of ours ends: by the traversal that it began, never by the stack's status alone. */
import { cancelledTraversalId } from "#lib/convergence/traversal.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Progress, ProviderCall, ResourceType } from "#lib/ports/resource-type.ts";
import { resolveInStack } from "#lib/stack/resolve-in-stack.ts";
import { loadTemplate } from "#lib/stack/template-record.ts";
import { resolveOutput } from "#lib/template/resolve.ts";
import {
  isGone,
  isMade,
  NESTED_POLL_MS,
  NESTED_POLL_MS_MAX,
  nestedStackId,
} from "./nested-stack.ts";

/** What others may read of the resource, once its stack is as it should be. */
export type NestedView = (
  call: ProviderCall,
  ports: Ports,
  nested: { readonly stack: Stack; readonly outputs: JsonObject },
) => Promise<{ readonly attributes: JsonObject; readonly refId?: string }>;

const CHANGED = "The nested stack was changed behind its parent.";

export const checkNested =
  (view: NestedView): NonNullable<ResourceType["checkComplete"]> =>
  async (call, traversalId, ports) => {
    const id = nestedStackId(ports, call.resourceId);
    const stack = await ports.store.getStack(call.tenant, id);
    if (call.action === "DELETE") return endOfDelete(ports, stack, traversalId);
    if (stack === null || isGone(stack)) return failed("The nested stack was deleted.");
    if (stack.traversalId === cancelledTraversalId(ports, traversalId)) {
      return failed(`${call.action} of the nested stack was cancelled.`);
    }
    // By its status an earlier or a foreign COMPLETE would be taken for ours.
    if (stack.traversalId !== traversalId) return failed(CHANGED);
    if (stack.status === "IN_PROGRESS") return stillWaiting(ports, stack, traversalId);
    if (stack.status === "FAILED") return failed(stack.statusReason);
    if (!isMade(call)) return { state: "finished" };
    const outputs = await outputsOf(ports, stack);
    return {
      state: "finished",
      physicalResourceId: id,
      ...(await view(call, ports, { stack, outputs })),
    };
  };

const failed = (reason: string): Progress => ({ state: "failed", reason });

/** The longer it runs, the rarer are the looks; but a cancel is seen by them only. */
const stillWaiting = (ports: Ports, stack: Stack, traversalId: string): Progress => {
  const runsMs = ports.clock.now() - (stack.updatedAt ?? stack.createdAt);
  return {
    state: "waiting",
    handle: traversalId,
    pollAfterMs: Math.min(Math.max(runsMs, NESTED_POLL_MS), NESTED_POLL_MS_MAX),
  };
};

/** Whoever deletes it, gone is gone. */
const endOfDelete = (ports: Ports, stack: Stack | null, traversalId: string): Progress => {
  if (stack === null || isGone(stack)) return { state: "finished", physicalResourceId: null };
  if (stack.status === "IN_PROGRESS") return stillWaiting(ports, stack, traversalId);
  return failed(stack.action === "DELETE" ? stack.statusReason : CHANGED);
};

/** An output that cannot be computed is null here, and tells why where it is shown. */
const outputsOf = async (ports: Ports, stack: Stack): Promise<JsonObject> => {
  const loaded = await loadTemplate(ports, stack.tenant, stack.id, stack.templateId);
  return resolveInStack(ports, stack, loaded, (scope) =>
    Object.fromEntries(
      [...loaded.template.outputs.values()].map((output) => [
        output.name,
        resolveOutput(loaded.template, output, scope).value,
      ]),
    ),
  );
};
