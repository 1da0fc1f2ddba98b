/**
 * Begins the operations of a nested stack (P13). Its owner is the row in the parent, and its id
 * derives from the row's id, so every operation finds it. The generation of the row is the fence.
 * Each operation waits for the traversal that it began; nested-result.ts finds its end.
 */
import {
  type Accepted,
  acceptTraversal,
  createFirstTraversal,
  leaveStackTombstone,
  type Ownership,
  sendPrepare,
} from "#lib/convergence/traversal/traversal.ts";
import { assert, present, RequestError, RetryLater } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { StackAction } from "#lib/model/action.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack, StackOwner } from "#lib/model/stack.ts";
import type { Nests } from "#lib/ports/nesting.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Handler, Progress, ProviderCall } from "#lib/ports/resource-type.ts";
import { checkSource } from "#lib/stack/check/check-source.ts";
import { definedType } from "#lib/stack/defined-type.ts";
import { STACK_TIMEOUT_MINS_MAX } from "#lib/stack/limits.ts";
import { checkDepth, type NestedTarget, nestedTarget } from "#lib/stack/nested-source.ts";
import { physicalName } from "#lib/stack/physical-name.ts";
import { parameterValues } from "#lib/stack/record/parameter-values.ts";
import {
  ABANDONED_TEMPLATE_ID,
  EMPTY_TEMPLATE_ID,
  type LoadedTemplate,
  loadTemplate,
  saveTemplate,
  type TemplateSource,
} from "#lib/stack/record/template-record.ts";
import { readUpdatePolicy } from "#lib/template/check/known-properties.ts";
import { checkImmutable } from "#lib/template/parameters/parameters.ts";
import { parseTemplate } from "#lib/template/parse/parse.ts";
import { type NamedStack, pseudoParameters } from "#lib/template/scope.ts";
import type { ResourceDefinition } from "#lib/template/template.ts";
import { facadeOf } from "./facade.ts";

const MINUTE_MS = 60_000;
/**
 * A nested stack signals its end to the parent. The polls are needed only if that signal is lost.
 */
export const NESTED_POLL_MS = 5_000;
export const NESTED_POLL_MS_MAX = 15_000;
/**
 * Others may change the nested stack between reading and writing. After that many attempts the
 * visit is retried later.
 */
export const ACCEPT_TRIES_MAX = 4;

/**
 * All operations of a row compute the same id, so a delete can fence a create that has not happened
 * yet.
 */
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

export interface Situation {
  readonly call: ProviderCall;
  readonly policy: JsonObject;
  readonly now: number;
  readonly former: TemplateSource | null;
  readonly below: Stack | null;
  /** Whether the nested stack has reached that target and nothing runs in it. */
  readonly isSettled: boolean;
}

/**
 * Computes the target of the nested stack for this operation. The acceptance is refused if the
 * stack has changed since it was read, so the result always fits the arguments. A RequestError
 * fails the operation.
 */
export type Arrange = (
  source: TemplateSource,
  situation: Situation,
) => TemplateSource | Promise<TemplateSource>;

const UNARRANGED: Arrange = (source) => source;

export const bringsToTarget = ({ action }: Pick<ProviderCall, "action">): boolean =>
  action === "CREATE" || action === "ADOPT" || action === "UPDATE";

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
  /** If the update of the parent visits everything, this update does too (P24). */
  readonly visitsAll: boolean;
  readonly converges: boolean;
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
  if (action === "UPDATE") return { state: "replace" };
  if (!bringsToTarget(call) && action !== "DELETE") return notFound(id);
  const ownership = ownershipOf(engine, call, target);
  const stack = {
    tenant,
    id,
    name: physicalName(call, id),
    description: "",
    timeoutMins: minutesUntil(engine, ownership.deadline),
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

/** The status is not enough: SUSPEND and RESUME after a failed update are COMPLETE too. */
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
 * The id derives from the call and the nested stack's status version. So a target that was computed
 * for an earlier state is never accepted.
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
 * The fence: a greater generation than that of the stack is accepted, and an older one is refused.
 * For the same generation the answer is the traversal that it began. No race can break this,
 * because the acceptance is refused if the stack has changed since it was read.
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
    // The worker that began the traversal may have died before it sent the prepare message.
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
  // If the version is unchanged, the refusal is final. Otherwise another writer was faster.
  return now?.statusVersion === stack.statusVersion
    ? { state: "failed", reason: `${call.action} of the nested stack was refused: ${accepted.why}` }
    : "again";
};

/** The running traversal was begun by a signal and not by the owner. */
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

export const stackBelow = async (
  ports: Ports,
  { tenant, id }: Pick<Resource, "tenant" | "id">,
): Promise<Stack | null> => {
  const stack = await ports.store.getStack(tenant, nestedStackId(ports, id));
  return stack === null || isGone(stack) ? null : stack;
};
