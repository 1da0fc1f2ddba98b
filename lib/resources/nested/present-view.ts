/**
 * Reads the attributes of a resource with a nested stack as they are now. The row has those of its
 * last operation, but a signal to a group at any depth below changes them later. As in Heat, they
 * are then resolved again at each read.
 */
import { membersOf } from "#lib/groups/record.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { definedTypeName } from "#lib/stack/defined-type.ts";
import { type LoadedTemplate, loadTemplate } from "#lib/stack/record/template-record.ts";
import { standingRow } from "#lib/stack/standing-rows.ts";
import type { ResourceDefinition } from "#lib/template/template.ts";
import { type NestedView, nestedOutputs } from "./nested-result.ts";
import { hasReachedTarget } from "./nested-stack.ts";
import { stackBelow } from "./stack-below.ts";

/** Members of a group that share a definition are alike, so one of them is enough. */
const differing = ({ source, template }: LoadedTemplate): readonly ResourceDefinition[] => {
  const { group } = source;
  if (group === undefined) return [...template.resources.values()];
  const firsts = new Map(
    membersOf(group.record)
      .toReversed()
      .map(({ name, definition }) => [definition, name]),
  );
  return [...firsts.values()].flatMap((name) => template.resources.get(name) ?? []);
};

export const hasScaledGroup = async (engine: Ports, stack: Stack): Promise<boolean> => {
  const loaded = await loadTemplate(engine, stack.tenant, stack.id, stack.templateId);
  for (const definition of differing(loaded)) {
    const type = await engine.resourceTypes.get(definedTypeName(loaded.source, definition));
    if (type?.nesting === undefined) continue;
    if (type.nesting.isScaled === true) return true;
    const row = await standingRow(engine, stack, definition.name);
    const below = row === null ? null : await stackBelow(engine, row);
    if (below !== null && (await hasScaledGroup(engine, below))) return true;
  }
  return false;
};

export const presentView =
  (engine: Ports, view: NestedView) =>
  async (row: Resource): Promise<JsonObject | null> => {
    const { tenant, stackId, name: resourceName, physicalResourceId: id } = row;
    const stack = id === null ? null : await engine.store.getStack(tenant, id);
    const above = await engine.store.getStack(tenant, stackId);
    if (stack === null || above === null || stack.action === "DELETE") return null;
    const isOwn = stack.traversalId === stack.owner?.childTraversalId;
    const isChanged = !isOwn && hasReachedTarget(stack);
    if (!isChanged && !(await hasScaledGroup(engine, stack))) return null;
    const outputs = await nestedOutputs(engine, stack);
    if (typeof outputs === "string") return null;
    const call = { tenant, stackId, templateId: above.templateId, resourceName };
    return (await view(call, engine, { stack, ...outputs })).attributes;
  };
