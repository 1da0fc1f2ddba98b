/** The verb preview of an update. It decides with the same functions as the visits do. */
import { type ForeseenUpdate, foresee, type HowVisited } from "#lib/convergence/preview/foresee.ts";
import { BARRIER_TYPE } from "#lib/groups/barriers.ts";
import { type Json, jsonEquals, mapOf } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { stackBelow } from "#lib/resources/nested/nested-stack.ts";
import { definedType } from "#lib/stack/defined-type.ts";
import { NestCount } from "#lib/stack/nested-source.ts";
import { parameterValues } from "#lib/stack/record/parameter-values.ts";
import { loadTemplate } from "#lib/stack/record/template-record.ts";
import { isTargetReached } from "#lib/stack/stack-predicates.ts";
import { nestsStack } from "#lib/stack/type-predicates.ts";
import { inDependencyOrder } from "#lib/template/bind/dependencies.ts";
import { keysWith, mayRead } from "#lib/template/functions/hidden-references.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import type { ResourceDefinition, Template } from "#lib/template/template.ts";
import {
  dependents,
  type ResourceView,
  viewResource,
  viewResources,
  wordForType,
} from "../resources/resource-view.ts";
import { previewBasis, whatMoved } from "../stacks/basis.ts";
import { findLivingStack, type StackIdentity } from "../stacks/find-stack.ts";
import { type UpdateStackRequest, updateTarget } from "../stacks/update-stack.ts";
import { type ChangedParameter, changedParameters } from "./changed-parameters.ts";
import {
  type ForeseenChange,
  GONE_WITH_ITS_STACK,
  NOT_VISITED,
  NOTHING_INSIDE,
  removalChange,
  updateChange,
} from "./foreseen-change.ts";
import { noteLost, scriptsLeftOut } from "./late-scripts.ts";
import { keepsOutputs, levelBelow, type PreviewLevel } from "./preview-nested.ts";

export const CHANGES = ["unchanged", "updated", "replaced", "added", "deleted"] as const;
type PreviewedChange = (typeof CHANGES)[number];

export interface ChangedResource {
  readonly view: ResourceView;
  readonly change: ForeseenChange;
}

export interface UpdatePreview {
  readonly changes: Readonly<Record<PreviewedChange, readonly ChangedResource[]>>;
  readonly outputs: readonly ChangedOutput[];
  readonly parameters: readonly ChangedParameter[];
  readonly warnings: readonly string[];
  /** What the preview was made on: an update that names it is refused if the stack has moved. */
  readonly basis: string;
}

interface PreviewOptions {
  readonly showNested: boolean;
  /**
   * With `showNested`: also what Heat's preview does not show, such as members of scaling groups.
   */
  readonly showsAll?: boolean;
}

export const previewUpdate = async (
  ports: Ports,
  identity: StackIdentity,
  request: UpdateStackRequest,
  { showNested, showsAll = false }: PreviewOptions,
): Promise<UpdatePreview> => {
  const stack = await findLivingStack(ports, identity);
  // The basis is read first, so any later change makes the preview out of date.
  const basis = await previewBasis(ports, stack);
  const moved = await whatMoved(ports, stack, identity.basis);
  const { source, template, current } = await updateTarget(ports, stack, request);
  const { converges = false } = request;
  const visitsAll = request.visitsAll === true || converges;
  const isReached = !visitsAll && isTargetReached(stack, current, source);
  const templateId = isReached ? current.id : null;
  const depth = stack.owner?.depth ?? 0;
  const nests = new NestCount();
  const objects = { lost: new Map(), targets: new Map() };
  const shown = { isShown: showNested, showsAll };
  const level = { stack, templateId, template, source, depth, nests, objects, ...shown };
  const { own, below } = await changesOf(ports, level, { visitsAll, converges });
  const found = showNested ? [...own, ...below] : own;
  const by = Map.groupBy(found, ({ kind }) => kind);
  const of = (kind: PreviewedChange): readonly Found[] => by.get(kind) ?? [];
  const changes = {
    unchanged: of("unchanged"),
    updated: of("updated"),
    replaced: of("replaced"),
    added: of("added"),
    deleted: of("deleted"),
  };
  const after = { source, template, parameters: parameterValues(template, source.environment) };
  const outputs = changedOutputs(current, after);
  const parameters = changedParameters(current, after);
  const lost = await scriptsLeftOut(ports, stack.tenant, objects);
  const warnings = moved === null ? lost : [moved, ...lost];
  return { changes, basis, outputs, parameters, warnings };
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
): Promise<{ readonly own: readonly Found[]; readonly below: readonly Found[] }> => {
  const { stack, source, template, objects } = level;
  objects.targets.set(stack.id, template);
  const { updates, removals, leftOut, inside } = await foreseeWithNested(ports, level, visited);
  const requiredBy = dependents(template.resources);
  const found: Found[] = [];
  const below: Found[] = [];
  for (const definition of inDependencyOrder(template)) {
    const { name, type: typeName } = definition;
    // Heat has no barriers.
    if (typeName === BARRIER_TYPE) continue;
    const update = updates.get(name);
    const row = update?.row ?? leftOut.get(name) ?? null;
    const shown = { name, type: typeName, row, definition, requiredBy };
    const view = await viewResource(ports, stack, shown);
    if (update === undefined) {
      found.push({ kind: "unchanged", view, change: NOT_VISITED });
      continue;
    }
    const type = await definedType(ports, source, definition);
    const within = inside.get(name) ?? null;
    const kind = kindOf(update);
    const change = await updateChange(ports, update, template, type, within?.words ?? null);
    found.push({ kind, view, change });
    if (!level.isShown) continue;
    if (kind === "replaced" && row !== null) below.push(...(await removedBelow(ports, row)));
    if (within !== null) below.push(...within.shown);
    else below.push(...(await madeBelow(ports, level, definition, update)));
  }
  const gone = new Map(removals.map((removal) => [removal.name, removal]));
  for (const [name, removal] of gone) {
    const { row } = removal;
    if (removal.decision.kind === "act") await noteLost(ports, objects.lost, stack.id, row);
    if (template.resources.has(name) || row.type === BARRIER_TYPE) continue;
    const type = await wordForType(ports, row);
    const shown = { name, type, row, definition: undefined, requiredBy };
    const view = await viewResource(ports, stack, shown);
    found.push({ kind: "deleted", view, change: removalChange(removal) });
    if (level.isShown) below.push(...(await removedBelow(ports, row)));
  }
  return { own: found, below };
};

/**
 * Nested stacks are foreseen in the order of the graph, because others may read their attributes.
 */
const foreseeWithNested = async (ports: Ports, level: PreviewLevel, visited: HowVisited) => {
  const inside = new Map<string, { readonly words: string; readonly shown: readonly Found[] }>();
  const foreseen = await foresee(
    ports,
    level.stack,
    level,
    visited,
    async (definition, { row, found, after }) => {
      if (row === null || row.action === "INIT" || after === null) return false;
      const next = await levelBelow(ports, level, { definition, properties: after, row });
      if (next === null) return false;
      const { own, below } = await changesOf(ports, next, visited);
      const words = insideWords(own);
      inside.set(definition.name, { words, shown: next.isShown ? [...own, ...below] : [] });
      const isQuiet = words === NOTHING_INSIDE && found?.status === "COMPLETE";
      return isQuiet && (await keepsOutputs(ports, level, next, row));
    },
  );
  return { ...foreseen, inside };
};

const insideWords = (own: readonly Found[]): string => {
  const changed = own.filter(
    ({ kind, change }) => kind !== "unchanged" && change.visit !== "reached",
  );
  const counts = CHANGES.flatMap((kind) => {
    const { length } = changed.filter((one) => one.kind === kind);
    return length === 0 ? [] : [`${length} ${kind}`];
  });
  if (counts.length > 0) return `in it: ${counts.join(", ")}`;
  return own.some(({ change }) => change.operation !== null)
    ? "an operation goes on in it"
    : NOTHING_INSIDE;
};

const madeBelow = async (
  ports: Ports,
  level: PreviewLevel,
  definition: ResourceDefinition,
  update: ForeseenUpdate,
): Promise<readonly Found[]> => {
  const kind = kindOf(update);
  if (update.after === null || (kind !== "added" && kind !== "replaced")) return [];
  const making = { definition, properties: update.after, row: null };
  const next = await levelBelow(ports, level, making);
  if (next === null) return [];
  const { own, below } = await changesOf(ports, next, { visitsAll: false, converges: false });
  return [...own, ...below];
};

const removedBelow = async (ports: Ports, row: Resource): Promise<readonly Found[]> => {
  if (!nestsStack(await ports.resourceTypes.get(row.type))) return [];
  const stack = await stackBelow(ports, row);
  if (stack === null) return [];
  const loaded = await loadTemplate(ports, stack.tenant, stack.id, stack.templateId);
  const removed: Found[] = [];
  for (const view of await viewResources(ports, stack, loaded)) {
    removed.push({ kind: "deleted", view, change: GONE_WITH_ITS_STACK });
    if (view.row !== null) removed.push(...(await removedBelow(ports, view.row)));
  }
  return removed;
};

interface ChangedOutput {
  readonly name: string;
  readonly change: "added" | "updated" | "deleted";
}

interface BoundTemplate {
  readonly template: Pick<Template, "outputs" | "version">;
  readonly parameters: ReadonlyMap<string, Json>;
}

/**
 * The outputs that an update itself changes even if no resource changes: their definition or a
 * parameter that they read is different.
 */
const changedOutputs = (before: BoundTemplate, after: BoundTemplate): readonly ChangedOutput[] => {
  const [former, next] = [before.template.outputs, after.template.outputs];
  const values = mapOf([...next.values()].map(({ name, value }) => [name, value]));
  const functions = functionsOf(after.template.version);
  const hasOther = (name: string): boolean =>
    !jsonEquals(before.parameters.get(name) ?? null, after.parameters.get(name) ?? null);
  const reading = keysWith(functions, values, (reference) =>
    mayRead(functions, reference, hasOther),
  );
  return [...new Set([...former.keys(), ...next.keys()])].flatMap((name): ChangedOutput[] => {
    const [old, now] = [former.get(name), next.get(name)];
    if (old === undefined) return [{ name, change: "added" }];
    if (now === undefined) return [{ name, change: "deleted" }];
    const isSame = old.description === now.description && jsonEquals(old.value, now.value);
    return isSame && !reading.has(name) ? [] : [{ name, change: "updated" }];
  });
};
