/**
 * Operations on a nested stack (protocol P13). Its owner is the row, and its id derives from the
 * row's, so every operation finds it. The row's generation is its fence. An operation waits for the
 * traversal that it began.
 */
import {
  type Accepted,
  acceptTraversal,
  createFirstTraversal,
  leaveStackTombstone,
  type Ownership,
  sendPrepare,
} from "#lib/convergence/traversal.ts";
import { assert, present, RequestError, RetryLater } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { StackAction } from "#lib/model/action.ts";
import type { Stack, StackOwner } from "#lib/model/stack.ts";
import type { Nests } from "#lib/ports/nesting.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Handler, Progress, ProviderCall } from "#lib/ports/resource-type.ts";
import { checkSource } from "#lib/stack/check-source.ts";
import { definedType } from "#lib/stack/defined-type.ts";
import { STACK_TIMEOUT_MINS_MAX } from "#lib/stack/limits.ts";
import { checkDepth } from "#lib/stack/nest-count.ts";
import { type NestedTarget, nestedTarget } from "#lib/stack/nested-source.ts";
import { parameterValues } from "#lib/stack/parameter-values.ts";
import { physicalName } from "#lib/stack/physical-name.ts";
import {
  ABANDONED_TEMPLATE_ID,
  EMPTY_TEMPLATE_ID,
  type LoadedTemplate,
  loadTemplate,
  saveTemplate,
  type TemplateSource,
} from "#lib/stack/template-record.ts";
import { checkImmutable } from "#lib/template/parameters.ts";
import { parseTemplate } from "#lib/template/parse.ts";
import { type NamedStack, pseudoParameters } from "#lib/template/scope.ts";
import type { ResourceDefinition } from "#lib/template/template.ts";
import { readUpdatePolicy } from "#lib/template/update-policy.ts";
import { facadeOf } from "./facade.ts";

const MINUTE_MS = 60_000;
/** A nested stack signals its end. Polls are only the net. */
export const NESTED_POLL_MS = 5_000;
export const NESTED_POLL_MS_MAX = 15_000;
/** Others may change the nested stack between read and write. Then the visit tries later. */
export const ACCEPT_TRIES_MAX = 4;

/** The same for every operation of a row: a delete can fence a create that has not happened yet. */
export const nestedStackId = (engine: Ports, resourceId: string): string =>
  engine.ids.derive("nested stack", resourceId);

export const isGone = (stack: Stack): boolean =>
  stack.action === "DELETE" && stack.status === "COMPLETE";

export const waiting = (engine: Ports, call: ProviderCall, handle: string): Progress => ({
  state: "waiting",
  handle,
  pollAfterMs: NESTED_POLL_MS,
  physicalResourceId: nestedStackId(engine, call.resourceId),
});

/** The handle while the operation waits for a scaling to end (P23). */
export const NOT_BEGUN_HANDLE = "not begun";

/** What an arrangement can depend on. */
export interface Situation {
  readonly call: ProviderCall;
  /** The update policy of the definition, with its defaults. */
  readonly policy: JsonObject;
  readonly now: number;
  /** The nested stack's present target. Null: there is no nested stack yet. */
  readonly former: TemplateSource | null;
  /** The nested stack as it was read. */
  readonly below: Stack | null;
  /** The nested stack has reached that target and nothing runs in it. */
  readonly isSettled: boolean;
}

/**
 * The nested stack's target as this operation needs it. The acceptance is conditional on the stack
 * as read, and so on all arguments. A RequestError fails the operation.
 */
export type Arrange = (
  source: TemplateSource,
  situation: Situation,
) => TemplateSource | Promise<TemplateSource>;

const UNARRANGED: Arrange = (source) => source;

/** Whether the operation brings the nested stack to a target. */
export const bringsToTarget = ({ action }: Pick<ProviderCall, "action">): boolean =>
  action === "CREATE" || action === "ADOPT" || action === "UPDATE";

/** Begins the row's action on the nested stack. */
export const operateNested =
  (engine: Ports, nests: Nests, arrange: Arrange = UNARRANGED): Handler =>
  async (call) => {
    const target = await readTarget(engine, call, nests, arrange);
    if ("state" in target) return target;
    for (let tries = 0; tries < ACCEPT_TRIES_MAX; tries++) {
      const id = nestedStackId(engine, call.resourceId);
      const stack = await engine.store.getStack(call.tenant, id);
      const begun =
        stack === null
          ? await beginWithout(engine, call, target)
          : await beginOn(engine, call, target, stack);
      if (begun !== "again") return begun;
    }
    throw new RetryLater(`the nested stack of ${call.resourceName} keeps changing`);
  };

/** The target of a CREATE, ADOPT or UPDATE. Its errors fail the operation. */
const readTarget = async (
  engine: Ports,
  call: ProviderCall,
  nests: Nests,
  arrange: Arrange,
): Promise<ChildTarget | Progress> => {
  const above = present(
    await engine.store.getStack(call.tenant, call.stackId),
    `stack ${call.stackId} of ${call.resourceName}`,
  );
  const depth = (above.owner?.depth ?? 0) + 1;
  const isScaled = nests.isScaled === true;
  const rootId = above.owner?.rootId ?? above.id;
  const base = { rootId, depth, isScaled, visitsAll: above.visitsAll, converges: above.converges };
  if (!bringsToTarget(call)) return { ...base, nested: null };
  try {
    checkDepth(depth);
    const loaded = await loadTemplate(engine, call.tenant, call.stackId, call.templateId);
    const definition = present(
      loaded.template.resources.get(call.resourceName),
      `definition of ${call.resourceName}`,
    );
    const nested = await nestedTarget(loaded, definition, nests, call.properties);
    const facade = await facadeOf(engine, above, loaded, definition);
    const id = nestedStackId(engine, call.resourceId);
    const stack = { id, name: physicalName(call, id), tenant: call.tenant };
    const source = { ...nested.source, stack, facade };
    await checkSource(engine, source, { depth });
    const policy = await readPolicy(engine, above, loaded, definition);
    return { ...base, nested: { ...nested, source, policy, arrange } };
  } catch (error) {
    return refused(error);
  }
};

interface ChildTarget {
  readonly rootId: string;
  readonly depth: number;
  readonly isScaled: boolean;
  /** The update of the stack above visits everything, so this one does too (P24). */
  readonly visitsAll: boolean;
  readonly converges: boolean;
  /** Null: the operation brings the nested stack to no target. */
  readonly nested: Nested | null;
}

interface Nested extends NestedTarget {
  readonly policy: JsonObject;
  readonly arrange: Arrange;
}

export const readPolicy = async (
  engine: Ports,
  above: NamedStack,
  { source, template, parameters }: LoadedTemplate,
  definition: ResourceDefinition,
): Promise<JsonObject> => {
  const type = await definedType(engine, source, definition);
  return readUpdatePolicy(template, definition, type?.schema.updatePolicy ?? {}, {
    parameters,
    pseudo: pseudoParameters(above, template),
    files: source.files,
    facade: source.facade,
    resource: () => null,
  });
};

const refused = (error: unknown): Progress => {
  if (!(error instanceof RequestError)) throw error;
  return { state: "failed", reason: error.message, errorType: error.code };
};

/** The nested stack has the rest of its owner's time. */
const ownershipOf = (engine: Ports, call: ProviderCall, target: ChildTarget): Ownership => {
  const owner: StackOwner = {
    stackId: call.stackId,
    resourceId: call.resourceId,
    resourceName: call.resourceName,
    generation: call.generation,
    childTraversalId: engine.ids.derive("nested traversal", call.token),
    rootId: target.rootId,
    depth: target.depth,
  };
  const asked = target.nested?.timeoutMins ?? STACK_TIMEOUT_MINS_MAX;
  return { owner, deadline: Math.min(call.deadline, engine.clock.now() + asked * MINUTE_MS) };
};

export const minutesUntil = (engine: Ports, deadline: number): number =>
  Math.max(Math.ceil((deadline - engine.clock.now()) / MINUTE_MS), 1);

const beginWithout = async (
  engine: Ports,
  call: ProviderCall,
  target: ChildTarget,
): Promise<Progress | "again"> => {
  const { tenant, resourceName, action } = call;
  const id = nestedStackId(engine, call.resourceId);
  // Somebody removed it: a replacement makes another one.
  if (action === "UPDATE") return { state: "replace" };
  if (!bringsToTarget(call) && action !== "DELETE") return notFound(id);
  const ownership = ownershipOf(engine, call, target);
  const stack = {
    tenant,
    id,
    name: physicalName(call, id),
    description: "",
    timeoutMins: minutesUntil(engine, ownership.deadline),
    // Its owner decides what follows a failure.
    disableRollback: true,
    tags: [],
    ownership,
  };
  if (action === "DELETE") {
    const left = await leaveStackTombstone(engine, { ...stack, templateId: EMPTY_TEMPLATE_ID });
    return left === "created" ? { state: "finished", physicalResourceId: null } : "again";
  }
  const nested = present(target.nested, `target of ${resourceName}`);
  const source = await arranged(engine, call, nested, null);
  if ("state" in source) return source;
  const adopted = call.adopted?.resources ?? {};
  const first = action === "ADOPT" ? { ...source, adopted } : source;
  const templateId = await storeTarget(engine, call, first, 0);
  await engine.store.putStackName(tenant, stack.name, { id, createdAt: engine.clock.now() });
  const created = await createFirstTraversal(engine, {
    ...stack,
    templateId,
    action: action === "ADOPT" ? "ADOPT" : "CREATE",
  });
  return created.accepted ? waiting(engine, call, created.stack.traversalId) : "again";
};

const notFound = (id: string): Progress => ({
  state: "failed",
  reason: `The Stack (${id}) could not be found.`,
  errorType: "EntityNotFound",
});

/** The status alone is not enough: a SUSPEND and RESUME after a failed update are COMPLETE too. */
export const hasReachedTarget = ({ status, lastGood, templateId }: Stack): boolean =>
  status === "COMPLETE" && lastGood === templateId;

const arranged = async (
  engine: Ports,
  call: ProviderCall,
  { source, policy, arrange }: Nested,
  below: { readonly stack: Stack; readonly loaded: LoadedTemplate } | null,
): Promise<TemplateSource | Progress> => {
  const former = below?.loaded.source ?? null;
  const isSettled = below !== null && hasReachedTarget(below.stack);
  try {
    const now = engine.clock.now();
    const stack = below?.stack ?? null;
    return await arrange(source, { call, policy, now, former, below: stack, isSettled });
  } catch (error) {
    return refused(error);
  }
};

/**
 * Stores the target once, under an id made of the call and of the nested stack's status version. A
 * target that was arranged for an earlier state is never accepted.
 */
const storeTarget = async (
  engine: Ports,
  call: ProviderCall,
  source: TemplateSource,
  statusVersion: number,
): Promise<string> => {
  const id = nestedStackId(engine, call.resourceId);
  const templateId = engine.ids.derive("nested template", call.token, String(statusVersion));
  await saveTemplate(engine, call.tenant, id, templateId, source);
  return templateId;
};

/**
 * The fence. A greater generation than the stack's is accepted. The same generation gets the
 * traversal that it began. An older one is refused. The fence holds like a condition of the write,
 * because the acceptance is conditional on the stack as read.
 */
const beginOn = async (
  engine: Ports,
  call: ProviderCall,
  target: ChildTarget,
  stack: Stack,
): Promise<Progress | "again"> => {
  const owner = present(stack.owner, `owner of ${stack.id}`);
  assert(owner.resourceId === call.resourceId, `${stack.id} belongs to ${owner.resourceId}`);
  if (owner.generation > call.generation) return OVERTAKEN;
  if (owner.generation === call.generation) {
    // The worker that began it may have died before it sent the prepare message.
    if (stack.running !== stack.traversalId) await sendPrepare(engine, stack);
    return waiting(engine, call, owner.childTraversalId);
  }
  if (bringsToTarget(call) && stack.action === "DELETE") return { state: "replace" };
  if (isGone(stack)) {
    return call.action === "DELETE"
      ? { state: "finished", physicalResourceId: null }
      : notFound(stack.id);
  }
  if (call.action === "RESUME" && !stack.suspended) return { state: "finished" };
  if (target.nested === null && target.isScaled && isBeingScaled(stack, owner)) {
    return waiting(engine, call, NOT_BEGUN_HANDLE);
  }
  const accepted = await accept(engine, call, target, stack);
  if ("state" in accepted) return accepted;
  if (accepted.accepted) return waiting(engine, call, accepted.stack.traversalId);
  const now = await engine.store.getStack(stack.tenant, stack.id);
  // The same version means a real refusal. Otherwise another writer was faster.
  return now?.statusVersion === stack.statusVersion
    ? { state: "failed", reason: `${call.action} of the nested stack was refused: ${accepted.why}` }
    : "again";
};

/** A signal has begun the traversal that runs. */
const isBeingScaled = ({ status, traversalId }: Stack, { childTraversalId }: StackOwner): boolean =>
  status === "IN_PROGRESS" && traversalId !== childTraversalId;

const OVERTAKEN: Progress = {
  state: "failed",
  reason: "A newer operation has taken over this stack.",
};

const accept = async (
  engine: Ports,
  call: ProviderCall,
  target: ChildTarget,
  stack: Stack,
): Promise<Accepted | Progress> => {
  const ownership = ownershipOf(engine, call, target);
  const timeoutMins = minutesUntil(engine, ownership.deadline);
  const { abandonsUnreachable } = call;
  const begin = (action: StackAction, templateId: string): Promise<Accepted> =>
    acceptTraversal(engine, stack, {
      action,
      templateId,
      timeoutMins,
      ownership,
      abandonsUnreachable,
      visitsAll: target.visitsAll,
      converges: target.converges,
    });
  const isAbandoned = call.templateId === ABANDONED_TEMPLATE_ID;
  if (call.action === "DELETE") {
    return begin("DELETE", isAbandoned ? ABANDONED_TEMPLATE_ID : EMPTY_TEMPLATE_ID);
  }
  if (target.nested === null) return begin(call.action, stack.templateId);
  const { tenant, id, templateId, statusVersion } = stack;
  const loaded = await loadTemplate(engine, tenant, id, templateId);
  const problem = immutableProblem(loaded, target.nested.source);
  if (problem !== null) return problem;
  const source = await arranged(engine, call, target.nested, { stack, loaded });
  if ("state" in source) return source;
  return begin("UPDATE", await storeTarget(engine, call, source, statusVersion));
};

const immutableProblem = (current: LoadedTemplate, source: TemplateSource): Progress | null => {
  const template = parseTemplate(source.template);
  try {
    const values = parameterValues(template, source.environment);
    checkImmutable(template, current.parameters, values);
    return null;
  } catch (error) {
    return refused(error);
  }
};
