/**
 * An operation whose object is a stack of ours (protocol P13). The stack below has the row as its owner and
 * a name made of it, so every operation finds it again; the row's generation is its fence; what is waited
 * for is the traversal that this very operation began.
 */
import {
  type Accepted,
  acceptTraversal,
  cancelNested,
  createFirstTraversal,
  leaveStackTombstone,
  type Ownership,
  sendPrepare,
} from "#lib/convergence/traversal.ts";
import { assert, present, RequestError, RetryLater } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { StackAction } from "#lib/model/action.ts";
import type { Stack, StackOwner } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Handler, Nests, Progress, ProviderCall } from "#lib/ports/resource-type.ts";
import { checkSource, tooDeep } from "#lib/stack/check-source.ts";
import { definedType } from "#lib/stack/defined-type.ts";
import { NESTED_DEPTH_MAX, STACK_TIMEOUT_MINS_MAX } from "#lib/stack/limits.ts";
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
import { pseudoParameters } from "#lib/template/scope.ts";
import type { ResourceDefinition } from "#lib/template/template.ts";
import { readUpdatePolicy } from "#lib/template/update-policy.ts";

const MINUTE_MS = 60_000;
/** The end of the stack below is a signal; polls are only the net under it. */
export const NESTED_POLL_MS = 5_000;
export const NESTED_POLL_MS_MAX = 15_000;
/** The stack below may be moved by others between our reading and our writing, so often before we come again later. */
const ACCEPT_TRIES_MAX = 4;

/** The same for every operation of a row: a delete can fence off a create that has not happened yet. */
export const nestedStackId = (ports: Ports, resourceId: string): string =>
  ports.ids.derive("nested stack", resourceId);

export const isGone = (stack: Stack): boolean =>
  stack.action === "DELETE" && stack.status === "COMPLETE";

const waiting = (ports: Ports, call: ProviderCall, traversalId: string): Progress => ({
  state: "waiting",
  handle: traversalId,
  pollAfterMs: NESTED_POLL_MS,
  physicalResourceId: nestedStackId(ports, call.resourceId),
});

/** What there is to know when a target is arranged. */
export interface Situation {
  readonly call: ProviderCall;
  /** The update policy of the definition, with its defaults. */
  readonly policy: JsonObject;
  readonly now: number;
  /** What the stack below was last told to become; null: there is none yet. */
  readonly former: TemplateSource | null;
  /** It has become all of that, and nothing moves there. */
  readonly isSettled: boolean;
}

/**
 * The template of the stack below as this very operation needs it. It must follow from its arguments alone:
 * the acceptance is conditional on the stack as read, and with that on all of them. A RequestError fails the operation.
 */
export type Arrange = (source: TemplateSource, situation: Situation) => JsonObject;

const AS_IT_IS: Arrange = ({ template }) => template;

/** Whether the operation says what the stack below is to be. */
export const isMade = ({ action }: Pick<ProviderCall, "action">): boolean =>
  action === "CREATE" || action === "ADOPT" || action === "UPDATE";

/** CREATE, ADOPT, UPDATE, DELETE, SUSPEND, RESUME and CHECK alike: begin on the stack below what the row is to do. */
export const operateNested =
  (nests: Nests, arrange: Arrange = AS_IT_IS): Handler =>
  async (call, ports) => {
    const target = await readTarget(ports, call, nests, arrange);
    if ("state" in target) return target;
    for (let tries = 0; tries < ACCEPT_TRIES_MAX; tries++) {
      const id = nestedStackId(ports, call.resourceId);
      const stack = await ports.store.getStack(call.tenant, id);
      const begun =
        stack === null
          ? await beginWithout(ports, call, target)
          : await beginOn(ports, call, target, stack);
      if (begun !== "again") return begun;
    }
    throw new RetryLater(`the stack below ${call.resourceName} keeps moving`);
  };

/** What a create, an adopt or an update is to make of the stack below; in other actions nothing. Everything wrong with it fails the operation. */
const readTarget = async (
  ports: Ports,
  call: ProviderCall,
  nests: Nests,
  arrange: Arrange,
): Promise<Target | Progress> => {
  const above = present(
    await ports.store.getStack(call.tenant, call.stackId),
    `stack ${call.stackId} of ${call.resourceName}`,
  );
  const depth = (above.owner?.depth ?? 0) + 1;
  const base = { rootId: above.owner?.rootId ?? above.id, depth };
  if (!isMade(call)) return { ...base, nested: null };
  try {
    if (depth > NESTED_DEPTH_MAX) throw tooDeep();
    const loaded = await loadTemplate(ports, call.tenant, call.stackId, call.templateId);
    const definition = present(
      loaded.template.resources.get(call.resourceName),
      `definition of ${call.resourceName}`,
    );
    const nested = nestedTarget(loaded, definition, nests, call.properties);
    checkSource(ports.resourceTypes, nested.source, depth);
    const policy = readPolicy(ports, above, loaded, definition);
    return { ...base, nested: { ...nested, policy, arrange } };
  } catch (error) {
    return refused(error);
  }
};

interface Target {
  readonly rootId: string;
  readonly depth: number;
  readonly nested: Nested | null;
}

interface Nested extends NestedTarget {
  readonly policy: JsonObject;
  readonly arrange: Arrange;
}

const readPolicy = (
  ports: Ports,
  above: Stack,
  { source, template, parameters }: LoadedTemplate,
  definition: ResourceDefinition,
): JsonObject => {
  const type = definedType(ports.resourceTypes, source, definition);
  return readUpdatePolicy(template, definition, type?.updatePolicy ?? {}, {
    parameters,
    pseudo: pseudoParameters(above),
    files: source.files,
    resource: () => null,
  });
};

const refused = (error: unknown): Progress => {
  if (!(error instanceof RequestError)) throw error;
  return { state: "failed", reason: error.message, errorType: error.code };
};

/** Its time is the rest of the owner's. */
const ownershipOf = (ports: Ports, call: ProviderCall, target: Target): Ownership => {
  const owner: StackOwner = {
    stackId: call.stackId,
    resourceId: call.resourceId,
    resourceName: call.resourceName,
    generation: call.generation,
    childTraversalId: ports.ids.derive("nested traversal", call.token),
    rootId: target.rootId,
    depth: target.depth,
  };
  const asked = target.nested?.timeoutMins ?? STACK_TIMEOUT_MINS_MAX;
  return { owner, deadline: Math.min(call.deadline, ports.clock.now() + asked * MINUTE_MS) };
};

const minutesUntil = (ports: Ports, deadline: number): number =>
  Math.max(Math.ceil((deadline - ports.clock.now()) / MINUTE_MS), 1);

const beginWithout = async (
  ports: Ports,
  call: ProviderCall,
  target: Target,
): Promise<Progress | "again"> => {
  const { tenant, resourceName, action } = call;
  const id = nestedStackId(ports, call.resourceId);
  // Removed behind the back of its owner: another row makes another one.
  if (action === "UPDATE") return { state: "replace" };
  if (!isMade(call) && action !== "DELETE") return notFound(id);
  const ownership = ownershipOf(ports, call, target);
  const stack = {
    tenant,
    id,
    name: physicalName(call, id),
    description: "",
    timeoutMins: minutesUntil(ports, ownership.deadline),
    // Its owner decides what becomes of a failure.
    disableRollback: true,
    tags: [],
    ownership,
  };
  if (action === "DELETE") {
    const left = await leaveStackTombstone(ports, { ...stack, templateId: EMPTY_TEMPLATE_ID });
    return left === "created" ? { state: "finished", physicalResourceId: null } : "again";
  }
  const nested = present(target.nested, `target of ${resourceName}`);
  const source = arranged(ports, call, nested, null);
  if ("state" in source) return source;
  const adopted = call.adopted?.resources ?? {};
  const first = action === "ADOPT" ? { ...source, adopted } : source;
  const templateId = await storeTarget(ports, call, first, 0);
  await ports.store.putStackName(tenant, stack.name, id);
  const created = await createFirstTraversal(ports, {
    ...stack,
    templateId,
    action: action === "ADOPT" ? "ADOPT" : "CREATE",
  });
  return created.accepted ? waiting(ports, call, created.stack.traversalId) : "again";
};

const notFound = (id: string): Progress => ({
  state: "failed",
  reason: `The Stack (${id}) could not be found.`,
  errorType: "EntityNotFound",
});

/** By the status alone a SUSPEND and RESUME after a failed update would pass for its end. */
const isAsTold = ({ status, lastGood, templateId }: Stack): boolean =>
  status === "COMPLETE" && lastGood === templateId;

const arranged = (
  ports: Ports,
  call: ProviderCall,
  { source, policy, arrange }: Nested,
  below: { readonly stack: Stack; readonly loaded: LoadedTemplate } | null,
): TemplateSource | Progress => {
  const former = below?.loaded.source ?? null;
  const isSettled = below !== null && isAsTold(below.stack);
  try {
    const now = ports.clock.now();
    return { ...source, template: arrange(source, { call, policy, now, former, isSettled }) };
  } catch (error) {
    return refused(error);
  }
};

/**
 * Put if absent under a name made of the call and of the stack below as read, which it was arranged for:
 * a repeated call stores the same once, and nothing that was arranged for an earlier state is accepted.
 */
const storeTarget = async (
  ports: Ports,
  call: ProviderCall,
  source: TemplateSource,
  statusVersion: number,
): Promise<string> => {
  const id = nestedStackId(ports, call.resourceId);
  const templateId = ports.ids.derive("nested template", call.token, String(statusVersion));
  await saveTemplate(ports, call.tenant, id, templateId, source);
  return templateId;
};

/**
 * The fence: an operation with a greater generation than the stack knows of is accepted, the same one is
 * told what it began, an older one is refused. It is as good as a condition of the write, because the
 * acceptance is conditional on the stack as read.
 */
const beginOn = async (
  ports: Ports,
  call: ProviderCall,
  target: Target,
  stack: Stack,
): Promise<Progress | "again"> => {
  const owner = present(stack.owner, `owner of ${stack.id}`);
  assert(owner.resourceId === call.resourceId, `${stack.id} belongs to ${owner.resourceId}`);
  if (owner.generation > call.generation) return OVERTAKEN;
  if (owner.generation === call.generation) {
    // Whoever began it may have died before it told anybody to prepare it.
    if (stack.running !== stack.traversalId) await sendPrepare(ports, stack);
    return waiting(ports, call, owner.childTraversalId);
  }
  if (isMade(call) && stack.action === "DELETE") return { state: "replace" };
  if (isGone(stack)) {
    return call.action === "DELETE"
      ? { state: "finished", physicalResourceId: null }
      : notFound(stack.id);
  }
  if (call.action === "RESUME" && !stack.suspended) return { state: "finished" };
  const accepted = await accept(ports, call, target, stack);
  if ("state" in accepted) return accepted;
  if (accepted.accepted) return waiting(ports, call, accepted.stack.traversalId);
  const now = await ports.store.getStack(stack.tenant, stack.id);
  // Refused as it stands, or only because somebody else was faster.
  return now?.statusVersion === stack.statusVersion
    ? { state: "failed", reason: `${call.action} of the nested stack was refused: ${accepted.why}` }
    : "again";
};

const OVERTAKEN: Progress = {
  state: "failed",
  reason: "A newer operation has taken over this stack.",
};

const accept = async (
  ports: Ports,
  call: ProviderCall,
  target: Target,
  stack: Stack,
): Promise<Accepted | Progress> => {
  const ownership = ownershipOf(ports, call, target);
  const timeoutMins = minutesUntil(ports, ownership.deadline);
  const begin = (action: StackAction, templateId: string): Promise<Accepted> =>
    acceptTraversal(ports, stack, { action, templateId, timeoutMins, ownership });
  const isAbandoned = call.templateId === ABANDONED_TEMPLATE_ID;
  if (call.action === "DELETE") {
    return begin("DELETE", isAbandoned ? ABANDONED_TEMPLATE_ID : EMPTY_TEMPLATE_ID);
  }
  if (target.nested === null) return begin(call.action, stack.templateId);
  const { tenant, id, templateId, statusVersion } = stack;
  const loaded = await loadTemplate(ports, tenant, id, templateId);
  const problem = immutableProblem(loaded, target.nested.source);
  if (problem !== null) return problem;
  const source = arranged(ports, call, target.nested, { stack, loaded });
  if ("state" in source) return source;
  return begin("UPDATE", await storeTarget(ports, call, source, statusVersion));
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

/** An interrupted operation must not go on below: nobody may come after it. The delete is no one's to interrupt. */
export const abandonNested = async (call: ProviderCall, ports: Ports): Promise<null> => {
  if (call.action === "DELETE") return null;
  const id = nestedStackId(ports, call.resourceId);
  const stack = await ports.store.getStack(call.tenant, id);
  if (stack?.owner?.generation !== call.generation || stack.status !== "IN_PROGRESS") {
    return null;
  }
  if (stack.traversalId === stack.owner.childTraversalId) await cancelNested(ports, stack);
  return null;
};
