/** The verb preview of an update. What would happen is decided where the visits decide. */
import { type ForeseenUpdate, foresee } from "#lib/convergence/foresee.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { definedType } from "#lib/stack/defined-type.ts";
import { isTargetReached } from "#lib/stack/same-target.ts";
import type { TemplateSource } from "#lib/stack/template-record.ts";
import { inDependencyOrder } from "#lib/template/in-order.ts";
import type { Template } from "#lib/template/template.ts";
import { findLivingStack, type StackIdentity } from "./find-stack.ts";
import {
  type ForeseenChange,
  NOT_VISITED,
  removalChange,
  updateChange,
} from "./foreseen-change.ts";
import { dependents, type ResourceView, viewResource } from "./resource-view.ts";
import { stackBasis } from "./stack-basis.ts";
import { type UpdateStackRequest, updateTarget } from "./update-stack.ts";

export const CHANGES = ["unchanged", "updated", "replaced", "added", "deleted"] as const;
export type PreviewedChange = (typeof CHANGES)[number];

export interface ChangedResource {
  readonly view: ResourceView;
  readonly change: ForeseenChange;
}

export interface UpdatePreview {
  readonly changes: Readonly<Record<PreviewedChange, readonly ChangedResource[]>>;
  /** What was read: an update that names it is refused if the stack has moved. */
  readonly basis: string;
}

const kindOf = ({ decision, row }: ForeseenUpdate): PreviewedChange => {
  if (decision.kind === "keep") return "unchanged";
  if (row === null || row.action === "INIT") return "added";
  return decision.kind === "replace" ? "replaced" : "updated";
};

/** Changes nothing. Refuses what an update refuses. */
export const previewUpdate = async (
  ports: Ports,
  identity: StackIdentity,
  request: UpdateStackRequest,
): Promise<UpdatePreview> => {
  const stack = await findLivingStack(ports, identity);
  // Read first: what changes from here on makes the plan out of date.
  const basis = await stackBasis(ports, stack);
  const { source, template, current } = await updateTarget(ports, stack, request);
  const isReached = !request.visitsAll && isTargetReached(stack, current, source);
  const templateId = isReached ? current.id : null;
  const target = { templateId, source, template };
  return { changes: await changesOf(ports, stack, target, request.visitsAll ?? false), basis };
};

interface Target {
  readonly templateId: string | null;
  readonly source: TemplateSource;
  readonly template: Template;
}

const changesOf = async (
  ports: Ports,
  stack: Stack,
  target: Target,
  visitsAll: boolean,
): Promise<UpdatePreview["changes"]> => {
  const { source, template } = target;
  const { updates, removals, leftOut } = await foresee(ports, stack, target, visitsAll);
  const requiredBy = dependents(template.resources);
  const changes: Record<PreviewedChange, ChangedResource[]> = {
    unchanged: [],
    updated: [],
    replaced: [],
    added: [],
    deleted: [],
  };
  for (const definition of inDependencyOrder(template)) {
    const { name } = definition;
    const update = updates.get(name);
    const row = update?.row ?? leftOut.get(name) ?? null;
    const shown = { name, type: definition.type, row, definition, requiredBy };
    const view = await viewResource(ports, stack, shown);
    if (update === undefined) changes.unchanged.push({ view, change: NOT_VISITED });
    else {
      const type = await definedType(ports, source, definition);
      const change = await updateChange(ports, update, template, type);
      changes[kindOf(update)].push({ view, change });
    }
  }
  const gone = new Map(removals.map((removal) => [removal.name, removal]));
  for (const [name, removal] of gone) {
    if (template.resources.has(name)) continue;
    const { row } = removal;
    const shown = { name, type: row.type, row, definition: undefined, requiredBy };
    const view = await viewResource(ports, stack, shown);
    changes.deleted.push({ view, change: removalChange(removal) });
  }
  return changes;
};
