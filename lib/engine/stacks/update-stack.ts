/** The verb update. PUT replaces the target. PATCH ("existing") changes only what it names. */

import { acceptTraversal } from "#lib/convergence/traversal/traversal.ts";
import { notSupported } from "#lib/errors.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { checkSource } from "#lib/stack/check/check-source.ts";
import { parameterValues } from "#lib/stack/record/parameter-values.ts";
import {
  type LoadedTemplate,
  loadTemplate,
  saveTemplate,
  type TemplateSource,
} from "#lib/stack/record/template-record.ts";
import { isTargetReached } from "#lib/stack/stack-predicates.ts";
import { checkImmutable } from "#lib/template/parameters/parameters.ts";
import type { NamedStack } from "#lib/template/scope.ts";
import type { Template } from "#lib/template/template.ts";
import { acceptOrRefuse } from "./accept.ts";
import { findLivingStack, type StackIdentity } from "./find-stack.ts";
import { checkTimeout, type StackOptions } from "./stack-options.ts";
import { newSource, type PatchRequest, patchedSource } from "./target-source.ts";

export interface UpdateStackRequest extends PatchRequest, StackOptions {
  readonly existing: boolean;
  /** Every resource is visited, even if nothing has changed (P24). */
  readonly visitsAll?: boolean | undefined;
  /** Heat's `converge`: every resource is visited, and drift is fixed. */
  readonly converges?: boolean | undefined;
}

export const updateTarget = async (
  ports: Ports,
  stack: Stack,
  request: UpdateStackRequest,
): Promise<{
  readonly source: TemplateSource;
  readonly template: Template;
  readonly current: LoadedTemplate;
}> => {
  refuseUpdate(stack);
  const current = await loadTemplate(ports, stack.tenant, stack.id, stack.templateId);
  const wanted = request.existing
    ? await patchedSource(ports, request, current)
    : await newSource(ports, request, current);
  const source = { ...withAdopted(stack, current, wanted), stack: namesOf(stack) };
  const template = await checkSource(ports, source, {
    depth: stack.owner?.depth,
    timeoutMins: checkTimeout(request.timeoutMins) ?? stack.timeoutMins,
    former: current.template,
  });
  const values = parameterValues(template, source.environment);
  checkImmutable(template, current.parameters, values);
  return { source, template, current };
};

export const namesOf = ({ id, name, tenant }: Stack): NamedStack => ({ id, name, tenant });

/** Without a last good target, a rollback keeps the adopted resources, so it must know them. */
export const withAdopted = (
  { lastGood }: Stack,
  { source: { adopted } }: LoadedTemplate,
  source: TemplateSource,
): TemplateSource => (lastGood === null && adopted !== undefined ? { ...source, adopted } : source);

/**
 * Overtakes every update that was accepted before it, even between its own read and write. It then
 * plans anew on the newer target, so two PATCH requests at once both take effect. Heat loses one.
 * Throws 400 for a suspended or deleting stack, and 409 if other updates win every attempt.
 */
export const updateStack = async (
  ports: Ports,
  identity: StackIdentity,
  request: UpdateStackRequest,
): Promise<Stack> => {
  const stack = await findLivingStack(ports, identity);
  const timeoutMins = checkTimeout(request.timeoutMins);
  const { converges = false } = request;
  const visitsAll = request.visitsAll === true || converges;
  let planned = { on: stack, target: await updateTarget(ports, stack, request) };
  const attempt = async (now: Stack) => {
    if (now.traversalId !== planned.on.traversalId)
      planned = { on: now, target: await updateTarget(ports, now, request) };
    refuseUpdate(now);
    const { source, template, current } = planned.target;
    const isReached = !visitsAll && isTargetReached(planned.on, current, source);
    return acceptTraversal(ports, now, {
      action: "UPDATE",
      askedBy: identity.askedBy,
      templateId: isReached ? current.id : await saveTarget(ports, now, source, current),
      tags: request.tags ?? (request.existing ? now.tags : []),
      description: template.description,
      visitsAll,
      converges,
      ...(timeoutMins === undefined ? {} : { timeoutMins }),
      ...(request.disableRollback === undefined
        ? {}
        : { disableRollback: request.disableRollback }),
    });
  };
  return acceptOrRefuse(ports, stack, attempt, { insists: true, basis: identity.basis });
};

/**
 * Each attempt stores a record of its own, after it has read the stack. So the record cannot be
 * removed as superseded while it is accepted (P16).
 */
export const saveTarget = async (
  ports: Ports,
  { tenant, id }: Stack,
  source: TemplateSource,
  current?: LoadedTemplate,
): Promise<string> => {
  const templateId = ports.ids.fresh();
  await saveTemplate(ports, tenant, id, templateId, source, current);
  return templateId;
};

export const refuseUpdate = (stack: Stack): void => {
  if (stack.suspended) throw notSupported("Updating a stack when it is suspended");
  if (stack.action === "DELETE") throw notSupported("Updating a stack when it is deleting");
};
