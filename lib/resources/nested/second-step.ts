/**
 * The second traversal of a group's operation (P20). If the batches need surplus members, the first
 * traversal brings all members that any batch needs, and the second one removes the surplus. The
 * owner record says which step is reached, so the second one is accepted only once.
 */
import { acceptTraversal, sendPrepare } from "#lib/convergence/traversal/traversal.ts";
import { trimmed } from "#lib/groups/record.ts";
import type { Stack, StackOwner } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ProviderCall } from "#lib/ports/resource-type.ts";
import {
  loadTemplate,
  saveTemplate,
  type TemplateSource,
} from "#lib/stack/record/template-record.ts";
import { minutesUntil } from "./nested-stack.ts";

const secondTarget = async (
  engine: Ports,
  { tenant, id, templateId, owner }: Stack,
): Promise<TemplateSource | null> => {
  if (owner === null || owner.step !== undefined) return null;
  const { group, ...source } = (await loadTemplate(engine, tenant, id, templateId)).source;
  if (group === undefined || group.record.trim.length === 0) return null;
  return { ...source, group: { ...group, record: trimmed(group.record) } };
};

export const hasSecondStep = async (engine: Ports, stack: Stack): Promise<boolean> =>
  (await secondTarget(engine, stack)) !== null;

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
