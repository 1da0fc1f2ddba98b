/** Finds the end of an operation on a nested stack by following the traversal that it began. */
import { giveUpUnreachable } from "#lib/convergence/signal-resource.ts";
import {
  acceptTraversal,
  cancelledTraversalId,
  sendPrepare,
} from "#lib/convergence/traversal/traversal.ts";
import { RetryLater } from "#lib/errors.ts";
import { trimmed } from "#lib/groups/record.ts";
import { type JsonObject, mapOf } from "#lib/json.ts";
import type { Stack, StackOwner } from "#lib/model/stack.ts";
import type { Nests } from "#lib/ports/nesting.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Lifecycle, Progress, ProviderCall } from "#lib/ports/resource-type.ts";
import {
  loadTemplate,
  saveTemplate,
  type TemplateSource,
} from "#lib/stack/record/template-record.ts";
import { resolveInStack } from "#lib/stack/resolve-in-stack.ts";
import { resolveOutputs } from "#lib/template/functions/resolve.ts";
import {
  EVALUATION_BYTES_MAX,
  jsonBytes,
  VALUE_TOO_LARGE,
} from "#lib/template/functions/value-budget.ts";
import type { AttributeErrors } from "#lib/template/held-attributes.ts";
import {
  ACCEPT_TRIES_MAX,
  bringsToTarget,
  isGone,
  minutesUntil,
  NESTED_POLL_MS,
  NESTED_POLL_MS_MAX,
  nestedStackId,
  waiting,
} from "./nested-stack.ts";

/** An output that cannot be resolved is null, and its error is in `errors`. */
export interface NestedOutputs {
  readonly outputs: JsonObject;
  readonly errors: AttributeErrors;
}

export type NestingCall = Pick<ProviderCall, "tenant" | "stackId" | "templateId" | "resourceName">;

export type NestedView = (
  call: NestingCall,
  engine: Ports,
  nested: NestedOutputs & { readonly stack: Stack },
) => Promise<{ readonly attributes: JsonObject; readonly refId?: string }>;

/** A template that is used as a type gives each output twice. */
const ATTRIBUTES_BYTES_MAX = 2 * EVALUATION_BYTES_MAX;

const CHANGED = "The nested stack was changed behind its parent.";

/** If signals can scale groups below, `view` refreshes the attributes after every action. */
export const checkNested =
  (
    engine: Ports,
    view: NestedView,
    { isScaled }: Pick<Nests, "isScaled">,
  ): NonNullable<Lifecycle["checkComplete"]> =>
  async (call, handle) => {
    const id = nestedStackId(engine, call.resourceId);
    for (let tries = 0; tries < ACCEPT_TRIES_MAX; tries++) {
      const stack = await engine.store.getStack(call.tenant, id);
      const progress =
        call.action === "DELETE"
          ? await pollDelete(engine, call, stack, handle)
          : await poll(engine, call, { stack, handle, view, isScaled: isScaled === true });
      if (progress !== "again") return progress;
    }
    throw new RetryLater(`the nested stack of ${call.resourceName} keeps changing`);
  };

const pollDelete = async (
  engine: Ports,
  call: ProviderCall,
  stack: Stack | null,
  traversalId: string,
): Promise<Progress> => {
  if (call.abandonsUnreachable) await passOn(engine, stack);
  if (stack === null || isGone(stack)) return { state: "finished", physicalResourceId: null };
  if (stack.status === "IN_PROGRESS") return stillWaiting(engine, stack, traversalId);
  return stack.action === "DELETE"
    ? failureBelow(stack.statusReason, stack.action)
    : failed(CHANGED);
};

/** After a second step the owner names a newer traversal than the handle does. */
const awaitedTraversal = (
  { owner }: Stack,
  { generation }: ProviderCall,
  handle: string,
): string => (owner?.generation === generation ? owner.childTraversalId : handle);

interface Polled {
  readonly stack: Stack | null;
  readonly handle: string;
  readonly view: NestedView;
  readonly isScaled: boolean;
}

const poll = async (
  engine: Ports,
  call: ProviderCall,
  { stack, handle, view, isScaled }: Polled,
): Promise<Progress | "again"> => {
  if (stack === null || isGone(stack)) return failed("The nested stack was deleted.");
  const { owner } = stack;
  const traversalId = awaitedTraversal(stack, call, handle);
  const isClosed = owner?.generation === call.generation && owner.step === "closed";
  if (isClosed || stack.traversalId === cancelledTraversalId(engine, traversalId)) {
    return failed(`${call.action} of the nested stack was cancelled.`);
  }
  // The COMPLETE of another traversal is not the end of this operation.
  if (owner === null || stack.traversalId !== traversalId) return failed(CHANGED);
  if (stack.status === "IN_PROGRESS") {
    await prepareSecondStep(engine, stack);
    return stillWaiting(engine, stack, traversalId);
  }
  if (stack.status === "FAILED") return failureBelow(stack.statusReason, stack.action);
  if (!bringsToTarget(call)) {
    return isScaled ? finished(engine, call, view, stack) : { state: "finished" };
  }
  const second = await beginSecondStep(engine, call, stack, owner);
  if (second === "again") return "again";
  return second === null
    ? finished(engine, call, view, stack)
    : waiting(engine, call, second.begun);
};

const finished = async (
  engine: Ports,
  call: ProviderCall,
  view: NestedView,
  stack: Stack,
): Promise<Progress> => {
  const outputs = await nestedOutputs(engine, stack);
  if (typeof outputs === "string") return failed(outputs);
  const seen = await view(call, engine, { stack, ...outputs });
  if (jsonBytes(seen.attributes, ATTRIBUTES_BYTES_MAX) > ATTRIBUTES_BYTES_MAX) {
    return failed(
      `The outputs and attributes of the nested stack are larger than ${ATTRIBUTES_BYTES_MAX} bytes.`,
    );
  }
  return { state: "finished", physicalResourceId: stack.id, ...seen };
};

const failed = (reason: string): Progress => ({ state: "failed", reason });

/** The interval grows with time but stays bounded, because a cancel is only seen by a poll. */
const stillWaiting = (engine: Ports, stack: Stack, traversalId: string): Progress => {
  const runsMs = engine.clock.now() - (stack.updatedAt ?? stack.createdAt);
  return {
    state: "waiting",
    handle: traversalId,
    pollAfterMs: Math.min(Math.max(runsMs, NESTED_POLL_MS), NESTED_POLL_MS_MAX),
    physicalResourceId: stack.id,
  };
};

/** The user gave up unreachable servers after the delete had reached this nested stack. */
const passOn = async (engine: Ports, stack: Stack | null): Promise<void> => {
  if (stack === null || stack.action !== "DELETE" || stack.status !== "IN_PROGRESS") return;
  if (!stack.abandonsUnreachable) await giveUpUnreachable(engine, stack);
};

export const namedOutputs = (
  asked: readonly { readonly name: string }[],
  values: ReturnType<typeof resolveOutputs>,
): NestedOutputs => ({
  outputs: mapOf(asked.map(({ name }, at) => [name, values[at]?.value ?? null])),
  errors: new Map(
    asked.flatMap(({ name }, at): [string, string][] => {
      const error = values[at]?.error;
      return error === undefined ? [] : [[name, error]];
    }),
  ),
});

export const nestedOutputs = async (
  engine: Ports,
  stack: Stack,
): Promise<NestedOutputs | string> => {
  const loaded = await loadTemplate(engine, stack.tenant, stack.id, stack.templateId);
  const outputs = [...loaded.template.outputs.values()];
  return resolveInStack(engine, stack, loaded, (scope, shared) => {
    const values = resolveOutputs(loaded.template, outputs, scope, shared);
    const at = values.findIndex(({ errorCode }) => errorCode === VALUE_TOO_LARGE);
    if (at >= 0) return `outputs.${outputs[at]?.name}: ${values[at]?.error}`;
    return namedOutputs(outputs, values);
  });
};

/**
 * Turns the failure of a nested stack into one of its resource, as Heat's `ResourceFailure` does.
 * The error's class is kept, and its place is appended to the place in the parent. Splits a reason
 * such as `Resource CREATE failed: ValueError: resources.x: text`, where `action` is the action of
 * the nested stack. Any other reason is passed on unchanged.
 */
export const failureBelow = (reason: string, action: string): Progress => {
  const [, errorType = "", below = "", ...message] = reason.split(":").map((part) => part.trim());
  const isOfAction = reason.includes(`Resource ${action} failed: `);
  return isOfAction && message.length > 0
    ? { state: "failed", errorType, below, reason: message.join(": ") }
    : { state: "failed", errorType: "", reason };
};

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

/**
 * The second traversal of a group's operation (P20). If the batches need surplus members, the first
 * traversal brings all members that any batch needs, and the second one removes the surplus. The
 * owner record says which step is reached, so the second one is accepted only once.
 */
const beginSecondStep = async (
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
const prepareSecondStep = async (engine: Ports, stack: Stack): Promise<void> => {
  if (stack.owner?.step !== "second" || stack.running === stack.traversalId) return;
  await sendPrepare(engine, stack);
};

export const arnOf = ({ tenant, name, id }: Pick<Stack, "tenant" | "name" | "id">): string =>
  `arn:openstack:heat::${tenant}:stacks/${name}/${id}`;
