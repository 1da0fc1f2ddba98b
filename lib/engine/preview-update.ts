/** The verb preview of an update. It uses the same decision for a resource as a real visit. */
import { decideUpdate } from "#lib/convergence/decide.ts";
import { hasOtherMetadata, isSameType } from "#lib/convergence/plan.ts";
import { resolveDefinition } from "#lib/convergence/resolve-definition.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { bestResources } from "#lib/stack/best-resource.ts";
import { definedTypeName } from "#lib/stack/defined-type.ts";
import { parameterValues } from "#lib/stack/parameter-values.ts";
import { openProperties } from "#lib/stack/reference.ts";
import { readReference } from "#lib/stack/resolve-in-stack.ts";
import type { TemplateSource } from "#lib/stack/template-record.ts";
import { pseudoParameters, type ResourceReference, type Scope } from "#lib/template/scope.ts";
import type { ResourceDefinition, Template } from "#lib/template/template.ts";
import { findLivingStack, type StackIdentity } from "./find-stack.ts";
import { dependents, type ResourceView, viewResource } from "./resource-view.ts";
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

interface PreviewTarget {
  readonly template: Template;
  readonly source: TemplateSource;
}

const changeOf = async (
  ports: Ports,
  target: PreviewTarget,
  definition: ResourceDefinition,
  row: Resource | null,
  scope: Scope,
): Promise<PreviewedChange> => {
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
  if (kind === "keep") return "unchanged";
  if (row === null || row.action === "INIT") return "added";
  return kind === "replace" ? "replaced" : "updated";
};

const decideAll = async (
  ports: Ports,
  stack: Stack,
  target: PreviewTarget,
  rows: ReadonlyMap<string, Resource>,
): Promise<ReadonlyMap<string, PreviewedChange>> => {
  const { template, source } = target;
  const references = new Map<string, ResourceReference>();
  const scope: Scope = {
    parameters: parameterValues(template, source.environment),
    pseudo: pseudoParameters(stack, template),
    files: source.files,
    facade: source.facade,
    resource: (name) => references.get(name) ?? null,
  };
  const changes = new Map<string, PreviewedChange>();
  for (const definition of inOrder(template)) {
    const row = rows.get(definition.name) ?? null;
    const change = await changeOf(ports, target, definition, row, scope);
    changes.set(definition.name, change);
    references.set(definition.name, await referenceAfter(ports, change, row));
  }
  return changes;
};

/** Changes nothing. Refuses what an update refuses. */
export const previewUpdate = async (
  ports: Ports,
  identity: StackIdentity,
  request: UpdateStackRequest,
): Promise<ResourceChanges> => {
  const stack = await findLivingStack(ports, identity);
  const target = await updateTarget(ports, stack, request);
  const { template } = target;
  // No row has the new template yet, so prefer rows of the current one.
  const rows = bestResources(await ports.store.listResources(stack.id), "", stack.templateId);
  const changes = await decideAll(ports, stack, target, rows);
  const requiredBy = dependents(template.resources);
  const viewOf = async (name: string): Promise<ResourceView> => {
    const definition = template.resources.get(name);
    const row = rows.get(name) ?? null;
    const type = definition?.type ?? row?.type ?? "";
    return viewResource(ports, stack, { name, type, row, definition, requiredBy });
  };
  const withChange = (change: PreviewedChange): Promise<readonly ResourceView[]> =>
    Promise.all([...changes].flatMap(([name, one]) => (one === change ? [viewOf(name)] : [])));
  return {
    unchanged: await withChange("unchanged"),
    updated: await withChange("updated"),
    replaced: await withChange("replaced"),
    added: await withChange("added"),
    deleted: await Promise.all([...rows.keys()].filter((name) => !changes.has(name)).map(viewOf)),
  };
};
