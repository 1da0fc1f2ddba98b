/** The verb preview of an update. It uses the same decision for a resource as a real visit. */
import { type Decision, decideUpdate } from "#lib/convergence/decide.ts";
import { hasOtherMetadata, isSameType } from "#lib/convergence/plan.ts";
import { resolveDefinition } from "#lib/convergence/resolve-definition.ts";
import { BARRIER_TYPE } from "#lib/groups/barriers.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { definedTypeName } from "#lib/stack/defined-type.ts";
import { NestCount } from "#lib/stack/nest-count.ts";
import { parameterValues } from "#lib/stack/parameter-values.ts";
import { openProperties } from "#lib/stack/reference.ts";
import { readReference } from "#lib/stack/resolve-in-stack.ts";
import { nestsStack } from "#lib/stack/type-predicates.ts";
import { pseudoParameters, type ResourceReference, type Scope } from "#lib/template/scope.ts";
import type { ResourceDefinition, Template } from "#lib/template/template.ts";
import { findLivingStack, type StackIdentity } from "./find-stack.ts";
import { levelBelow, loadedBelow, type PreviewLevel, rowsOf } from "./preview-nested.ts";
import { dependents, type ResourceView, viewResource, viewResources } from "./resource-view.ts";
import { type UpdateStackRequest, updateTarget } from "./update-stack.ts";

export const CHANGES = ["unchanged", "updated", "replaced", "added", "deleted"] as const;
export type PreviewedChange = (typeof CHANGES)[number];

export type ResourceChanges = Readonly<Record<PreviewedChange, readonly ResourceView[]>>;

/** Requirements come first. The template has no cycles. */
const inOrder = (template: Template): readonly ResourceDefinition[] => {
  const ordered = new Map<string, ResourceDefinition>();
  const opened = new Set<string>();
  // Thousands of resources may wait for each other in a chain, which is too deep for recursion.
  const pending = [...template.resources.keys()].reverse();
  for (let name = pending.at(-1); name !== undefined; name = pending.at(-1)) {
    const definition = template.resources.get(name);
    if (definition === undefined || ordered.has(name)) pending.pop();
    else if (opened.has(name)) ordered.set(name, definition);
    else {
      opened.add(name);
      pending.push(...definition.requires.toReversed());
    }
  }
  return [...ordered.values()];
};

/** Only the provider knows the id of a new resource and the attributes after an update. */
const referenceAfter = async (
  ports: Ports,
  change: PreviewedChange,
  row: Resource | null,
): Promise<ResourceReference> => {
  if (row === null || change === "added" || change === "replaced") {
    return { refId: null, attributes: {}, live: true };
  }
  const reference = await readReference(ports, row);
  return change === "updated" ? { ...reference, attributes: {} } : reference;
};

interface Decided {
  readonly change: PreviewedChange;
  /** As the update would resolve them. */
  readonly properties: JsonObject;
}

const decideOne = async (
  ports: Ports,
  target: Pick<PreviewLevel, "template" | "source">,
  definition: ResourceDefinition,
  row: Resource | null,
  scope: Scope,
): Promise<Decided> => {
  const after = await resolveDefinition(ports, target, definition, scope);
  const typeName = definedTypeName(target.source, definition);
  const type = await ports.resourceTypes.get(typeName);
  const before = row?.properties == null ? null : await openProperties(ports, row, row.properties);
  const { kind } = decideUpdate({
    stackAction: "UPDATE",
    row,
    isOfType: row !== null && (await isSameType(ports, row.type, typeName)),
    type,
    before,
    after: after.problem === null ? after.properties : null,
    hasOtherMetadata: await hasOtherMetadata(ports, type, row, target.template, definition.name),
    checkFailed: false,
    externalId: definition.externalId,
    mendsDrift: false,
  });
  return { change: changeOf(kind, row), properties: after.properties };
};

const changeOf = (kind: Decision["kind"], row: Resource | null): PreviewedChange => {
  if (kind === "keep") return "unchanged";
  if (row === null || row.action === "INIT") return "added";
  return kind === "replace" ? "replaced" : "updated";
};

const decideAll = async (
  ports: Ports,
  { stack, template, source, rows }: PreviewLevel,
): Promise<ReadonlyMap<string, Decided>> => {
  const references = new Map<string, ResourceReference>();
  const scope: Scope = {
    parameters: parameterValues(template, source.environment),
    pseudo: pseudoParameters(stack, template),
    files: source.files,
    facade: source.facade,
    resource: (name) => references.get(name) ?? null,
  };
  const changes = new Map<string, Decided>();
  for (const definition of inOrder(template)) {
    const row = rows.get(definition.name) ?? null;
    const decided = await decideOne(ports, { template, source }, definition, row, scope);
    changes.set(definition.name, decided);
    references.set(definition.name, await referenceAfter(ports, decided.change, row));
  }
  return changes;
};

type Found = [change: PreviewedChange, view: ResourceView];

/** With `showNested` also what is below, behind the level's own resources. */
const changesOf = async (
  ports: Ports,
  level: PreviewLevel,
  showNested: boolean,
): Promise<readonly Found[]> => {
  const { stack, template, rows } = level;
  const decided = await decideAll(ports, level);
  const requiredBy = dependents(template.resources);
  const found: Found[] = [];
  for (const name of new Set([...decided.keys(), ...rows.keys()])) {
    const definition = template.resources.get(name);
    const row = rows.get(name) ?? null;
    const type = definition?.type ?? row?.type ?? "";
    if (type === BARRIER_TYPE) continue;
    const view = await viewResource(ports, stack, { name, type, row, definition, requiredBy });
    found.push([decided.get(name)?.change ?? "deleted", view]);
  }
  if (!showNested) return found;
  const below: Found[] = [];
  for (const [change, { name, row }] of found) {
    const isRemoved = change === "deleted" || change === "replaced";
    if (isRemoved && row !== null) below.push(...(await removedBelow(ports, row)));
    const definition = template.resources.get(name);
    const properties = decided.get(name)?.properties;
    if (definition === undefined || properties === undefined || change === "unchanged") continue;
    const kept = change === "updated" ? row : null;
    const next = await levelBelow(ports, level, definition, properties, kept);
    if (next !== null) below.push(...(await changesOf(ports, next, true)));
  }
  return [...found, ...below];
};

const removedBelow = async (ports: Ports, row: Resource): Promise<readonly Found[]> => {
  if (!nestsStack(await ports.resourceTypes.get(row.type))) return [];
  const below = await loadedBelow(ports, row);
  if (below === null) return [];
  const views = await viewResources(ports, below.stack, below.loaded);
  const removed: Found[] = [];
  for (const view of views) {
    removed.push(["deleted", view]);
    if (view.row !== null) removed.push(...(await removedBelow(ports, view.row)));
  }
  return removed;
};

export interface PreviewOptions {
  readonly showNested: boolean;
}

/** Changes nothing. Refuses what an update refuses. */
export const previewUpdate = async (
  ports: Ports,
  identity: StackIdentity,
  request: UpdateStackRequest,
  { showNested }: PreviewOptions,
): Promise<ResourceChanges> => {
  const stack = await findLivingStack(ports, identity);
  const { template, source } = await updateTarget(ports, stack, request);
  const rows = await rowsOf(ports, stack);
  const depth = stack.owner?.depth ?? 0;
  const level = { stack, template, source, rows, depth, nests: new NestCount() };
  const found = await changesOf(ports, level, showNested);
  const withChange = (change: PreviewedChange): readonly ResourceView[] =>
    found.flatMap(([one, view]) => (one === change ? [view] : []));
  return {
    unchanged: withChange("unchanged"),
    updated: withChange("updated"),
    replaced: withChange("replaced"),
    added: withChange("added"),
    deleted: withChange("deleted"),
  };
};
