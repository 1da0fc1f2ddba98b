import { cancelNested, closeNested } from "#lib/convergence/traversal/traversal.ts";
import { RetryLater } from "#lib/errors.ts";
import { membersOf } from "#lib/groups/record.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack, StackOwner } from "#lib/model/stack.ts";
import type { Nests } from "#lib/ports/nesting.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ProviderCall, ResourceType } from "#lib/ports/resource-type.ts";
import { definedTypeName } from "#lib/stack/defined-type.ts";
import { type LoadedTemplate, loadTemplate } from "#lib/stack/record/template-record.ts";
import { standingRow } from "#lib/stack/standing-rows.ts";
import type { ResourceDefinition } from "#lib/template/template.ts";
import { STACK_LIFECYCLE } from "../lifecycles.ts";
import { checkNested, hasSecondStep, type NestedView, nestedOutputs } from "./nested-result.ts";
import {
  ACCEPT_TRIES_MAX,
  type Arrange,
  hasReachedTarget,
  NOT_BEGUN_HANDLE,
  nestedStackId,
  operateNested,
  stackBelow,
} from "./nested-stack.ts";
import { pollOlderOperations } from "./older-operations.ts";

/** Without this the stacks below would be cancelled only at their next poll. */
const cancelBelow = async (engine: Ports, stack: Stack): Promise<boolean> => {
  if (!(await cancelNested(engine, stack))) return false;
  await pollOlderOperations(engine, { tenant: stack.tenant, stackId: stack.id });
  return true;
};

/** @returns false when the nested stack has changed since it was read. */
const endBelow = async (engine: Ports, stack: Stack, owner: StackOwner): Promise<boolean> => {
  if (stack.status === "IN_PROGRESS") return cancelBelow(engine, stack);
  const goesOn = stack.status === "COMPLETE" && (await hasSecondStep(engine, stack));
  return goesOn ? closeNested(engine, stack, owner) : true;
};

/**
 * A DELETE is never interrupted.
 * @throws RetryLater when the nested stack keeps changing.
 */
const abandonNested = async (engine: Ports, call: ProviderCall): Promise<null> => {
  if (call.action === "DELETE") return null;
  const id = nestedStackId(engine, call.resourceId);
  for (let tries = 0; tries < ACCEPT_TRIES_MAX; tries++) {
    const stack = await engine.store.getStack(call.tenant, id);
    const owner = stack?.owner ?? null;
    if (stack === null || owner === null) return null;
    if (owner.generation !== call.generation) return null;
    if (stack.traversalId !== owner.childTraversalId) return null;
    if (await endBelow(engine, stack, owner)) return null;
  }
  throw new RetryLater(`the nested stack of ${call.resourceName} keeps changing`);
};

export const nestedType = (
  engine: Ports,
  nesting: Nests,
  view: NestedView,
  arrange?: Arrange,
): Omit<ResourceType, "type" | "schema"> => {
  const operate = operateNested(engine, nesting, arrange);
  const check = checkNested(engine, view, nesting);
  return {
    lifecycle: {
      ...STACK_LIFECYCLE,
      handleCreate: operate,
      handleUpdate: operate,
      handleDelete: operate,
      handleSuspend: operate,
      handleResume: operate,
      handleCheck: operate,
      checkComplete: (call, handle, context) =>
        handle === NOT_BEGUN_HANDLE ? operate(call, context) : check(call, handle, context),
    },
    waiting: { abandon: (call) => abandonNested(engine, call) },
    nesting,
    presentAttributes: presentView(engine, view),
    adoption: { handleAdopt: operate },
  };
};

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

/**
 * Reads the attributes of a resource with a nested stack as they are now. The row has those of its
 * last successful operation, but a signal to a group at any depth below changes them later, and a
 * failed operation has none although some resources below are made. As in Heat, they are then
 * resolved again at each read.
 */
const presentView =
  (engine: Ports, view: NestedView) =>
  async (row: Resource): Promise<JsonObject | null> => {
    const { tenant, stackId, name: resourceName, physicalResourceId: id } = row;
    const stack = id === null ? null : await engine.store.getStack(tenant, id);
    const above = await engine.store.getStack(tenant, stackId);
    if (stack === null || above === null || stack.action === "DELETE") return null;
    const isOwn = stack.traversalId === stack.owner?.childTraversalId;
    const isChanged = !isOwn && hasReachedTarget(stack);
    const isStored = row.status !== "FAILED" && !isChanged;
    if (isStored && !(await hasScaledGroup(engine, stack))) return null;
    const outputs = await nestedOutputs(engine, stack);
    if (typeof outputs === "string") return null;
    const call = { tenant, stackId, templateId: above.templateId, resourceName };
    return (await view(call, engine, { stack, ...outputs })).attributes;
  };
