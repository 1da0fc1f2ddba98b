import { cancelNested, closeNested } from "#lib/convergence/traversal/traversal.ts";
import { RetryLater } from "#lib/errors.ts";
import type { Stack, StackOwner } from "#lib/model/stack.ts";
import type { Nests } from "#lib/ports/nesting.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ProviderCall, ResourceType } from "#lib/ports/resource-type.ts";
import { STACK_LIFECYCLE } from "#lib/resources/lifecycles.ts";
import { checkNested, type NestedView } from "./nested-result.ts";
import {
  ACCEPT_TRIES_MAX,
  type Arrange,
  NOT_BEGUN_HANDLE,
  nestedStackId,
  operateNested,
} from "./nested-stack.ts";
import { pollOlderOperations } from "./older-operations.ts";
import { presentView } from "./present-view.ts";
import { hasSecondStep } from "./second-step.ts";

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
