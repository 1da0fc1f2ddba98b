/** The verb preview of an update. What would happen is decided where the visits decide. */
import { type ForeseenUpdate, foresee, type HowVisited } from "#lib/convergence/foresee.ts";
import { BARRIER_TYPE } from "#lib/groups/barriers.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { definedType } from "#lib/stack/defined-type.ts";
import { NestCount } from "#lib/stack/nest-count.ts";
import { isTargetReached } from "#lib/stack/same-target.ts";
import { nestsStack } from "#lib/stack/type-predicates.ts";
import { inDependencyOrder } from "#lib/template/in-order.ts";
import type { ResourceDefinition } from "#lib/template/template.ts";
import { findLivingStack, type StackIdentity } from "./find-stack.ts";
import {
  type ForeseenChange,
  GONE_WITH_ITS_STACK,
  NOT_VISITED,
  removalChange,
  updateChange,
} from "./foreseen-change.ts";
import { levelBelow, loadedBelow, type PreviewLevel } from "./preview-nested.ts";
import { dependents, type ResourceView, viewResource, viewResources } from "./resource-view.ts";
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

export interface PreviewOptions {
  /** What is below follows the level's own resources. */
  readonly showNested: boolean;
}

/** Changes nothing. Refuses what an update refuses. */
export const previewUpdate = async (
  ports: Ports,
  identity: StackIdentity,
  request: UpdateStackRequest,
  { showNested }: PreviewOptions,
): Promise<UpdatePreview> => {
  const stack = await findLivingStack(ports, identity);
  // Read first: what changes from here on makes the plan out of date.
  const basis = await stackBasis(ports, stack);
  const { source, template, current } = await updateTarget(ports, stack, request);
  const { converges = false } = request;
  const visitsAll = request.visitsAll === true || converges;
  const isReached = !visitsAll && isTargetReached(stack, current, source);
  const templateId = isReached ? current.id : null;
  const depth = stack.owner?.depth ?? 0;
  const level = { stack, templateId, template, source, depth, nests: new NestCount() };
  const found = await changesOf(ports, level, { visitsAll, converges }, showNested);
  const withKind = (kind: PreviewedChange): readonly ChangedResource[] =>
    found.filter((one) => one.kind === kind);
  const changes = {
    unchanged: withKind("unchanged"),
    updated: withKind("updated"),
    replaced: withKind("replaced"),
    added: withKind("added"),
    deleted: withKind("deleted"),
  };
  return { changes, basis };
};

interface Found extends ChangedResource {
  readonly kind: PreviewedChange;
}

const kindOf = ({ decision, row }: ForeseenUpdate): PreviewedChange => {
  if (decision.kind === "keep") return "unchanged";
  if (row === null || row.action === "INIT") return "added";
  return decision.kind === "replace" ? "replaced" : "updated";
};

const changesOf = async (
  ports: Ports,
  level: PreviewLevel,
  visited: HowVisited,
  showNested: boolean,
): Promise<readonly Found[]> => {
  const { stack, source, template } = level;
  const { updates, removals, leftOut } = await foresee(ports, stack, level, visited);
  const requiredBy = dependents(template.resources);
  const found: Found[] = [];
  const below: Found[] = [];
  for (const definition of inDependencyOrder(template)) {
    const { name, type: typeName } = definition;
    // Heat has no barriers.
    if (typeName === BARRIER_TYPE) continue;
    const update = updates.get(name);
    const row = update?.row ?? leftOut.get(name) ?? null;
    const view = await viewResource(ports, stack, {
      name,
      type: typeName,
      row,
      definition,
      requiredBy,
    });
    if (update === undefined) {
      found.push({ kind: "unchanged", view, change: NOT_VISITED });
      continue;
    }
    const type = await definedType(ports, source, definition);
    const change = await updateChange(ports, update, template, type);
    const kind = kindOf(update);
    found.push({ kind, view, change });
    if (!showNested || kind === "unchanged") continue;
    if (kind === "replaced" && row !== null) below.push(...(await removedBelow(ports, row)));
    const kept = kind === "updated" ? row : null;
    below.push(...(await changedBelow(ports, level, definition, update.after, kept)));
  }
  const gone = new Map(removals.map((removal) => [removal.name, removal]));
  for (const [name, removal] of gone) {
    const { row } = removal;
    if (template.resources.has(name) || row.type === BARRIER_TYPE) continue;
    const shown = { name, type: row.type, row, definition: undefined, requiredBy };
    const view = await viewResource(ports, stack, shown);
    found.push({ kind: "deleted", view, change: removalChange(removal) });
    if (showNested) below.push(...(await removedBelow(ports, row)));
  }
  return [...found, ...below];
};

/** `row` null: the update would make the nested stack. Its own traversal asks for no more. */
const changedBelow = async (
  ports: Ports,
  level: PreviewLevel,
  definition: ResourceDefinition,
  properties: JsonObject | null,
  row: Resource | null,
): Promise<readonly Found[]> => {
  if (properties === null) return [];
  const next = await levelBelow(ports, level, definition, properties, row);
  return next === null ? [] : changesOf(ports, next, { visitsAll: false, converges: false }, true);
};

const removedBelow = async (ports: Ports, row: Resource): Promise<readonly Found[]> => {
  if (!nestsStack(await ports.resourceTypes.get(row.type))) return [];
  const below = await loadedBelow(ports, row);
  if (below === null) return [];
  const views = await viewResources(ports, below.stack, below.loaded);
  const removed: Found[] = [];
  for (const view of views) {
    removed.push({ kind: "deleted", view, change: GONE_WITH_ITS_STACK });
    if (view.row !== null) removed.push(...(await removedBelow(ports, view.row)));
  }
  return removed;
};
