/**
 * P20: an operation of a group whose batches need a surplus has two traversals. The first one
 * brings all members that the batches ever have. The second one takes the surplus away. It is
 * accepted on the nested stack as read, and only once: the owner there says how far it is.
 */
import { acceptTraversal, sendPrepare } from "#lib/convergence/traversal.ts";
import { trimmed } from "#lib/groups/record.ts";
import type { Stack, StackOwner } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ProviderCall } from "#lib/ports/resource-type.ts";
import { loadTemplate, saveTemplate, type TemplateSource } from "#lib/stack/template-record.ts";
import { minutesUntil } from "./nested-stack.ts";

/** The target of the second traversal. Null: the operation has none, or has begun it already. */
const secondTarget = async (
  engine: Ports,
  { tenant, id, templateId, owner }: Stack,
): Promise<TemplateSource | null> => {
  if (owner === null || owner.step !== undefined) return null;
  const { group, ...source } = (await loadTemplate(engine, tenant, id, templateId)).source;
  if (group === undefined || group.record.trim.length === 0) return null;
  return { ...source, group: { ...group, record: trimmed(group.record) } };
};

/** Whether the operation that began the stack's traversal begins another one when it completes. */
export const hasSecondStep = async (engine: Ports, stack: Stack): Promise<boolean> =>
  (await secondTarget(engine, stack)) !== null;

/** `stack` has completed the first traversal. Null: there is no second one. */
export const beginSecondStep = async (
  engine: Ports,
  call: ProviderCall,
  stack: Stack,
  owner: StackOwner,
): Promise<{ readonly begun: string } | "again" | null> => {
  const target = await secondTarget(engine, stack);
  if (target === null) return null;
  const { tenant, id, statusVersion, deadline } = stack;
  const templateId = engine.ids.derive("second nested template", call.token, String(statusVersion));
  await saveTemplate(engine, tenant, id, templateId, target);
  const childTraversalId = engine.ids.derive("second nested traversal", call.token);
  const accepted = await acceptTraversal(engine, stack, {
    action: "UPDATE",
    templateId,
    timeoutMins: minutesUntil(engine, deadline),
    ownership: { owner: { ...owner, childTraversalId, step: "second" }, deadline },
  });
  return accepted.accepted ? { begun: childTraversalId } : "again";
};

/** The worker that began it may have died before it sent the prepare message. */
export const prepareSecondStep = async (engine: Ports, stack: Stack): Promise<void> => {
  if (stack.owner?.step !== "second" || stack.running === stack.traversalId) return;
  await sendPrepare(engine, stack);
};
