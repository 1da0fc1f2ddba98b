/**
 * Accepts operations (P1): ONE conditional write on the stack makes a new traversal current, which
 * overtakes the one that runs. The rollback and the other endings (P7) are here too.
 */
import { assert, RetryLater } from "#lib/errors.ts";
import type { StackAction } from "#lib/model/action.ts";
import type { Stack, StackOwner } from "#lib/model/stack.ts";
import type { StackClause } from "#lib/ports/conditions.ts";
import type { Ids, Ports } from "#lib/ports/ports.ts";
import type { StackChange } from "#lib/ports/store.ts";
import { EMPTY_TEMPLATE_ID } from "#lib/stack/record/template-record.ts";
import { convergesTo } from "#lib/stack/stack-predicates.ts";
import { shortReason } from "../complete.ts";
import { signalResource } from "../signal-resource.ts";

export interface Ownership {
  readonly owner: StackOwner;
  readonly deadline: number;
}

export interface OperationRequest {
  readonly action: StackAction;
  readonly askedBy?: string | undefined;
  readonly templateId: string;
  readonly description?: string;
  readonly timeoutMins?: number;
  readonly disableRollback?: boolean;
  readonly tags?: readonly string[];
  readonly ownership?: Ownership;
  readonly snapshotName?: string | null;
  readonly abandonsUnreachable?: boolean;
  readonly visitsAll?: boolean;
  readonly converges?: boolean;
}

export type Accepted =
  | { readonly accepted: true; readonly stack: Stack }
  | { readonly accepted: false; readonly why: string };

export interface NewStack {
  readonly tenant: string;
  readonly askedBy?: string | undefined;
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly templateId: string;
  readonly timeoutMins: number;
  readonly disableRollback: boolean;
  readonly tags: readonly string[];
  readonly ownership?: Ownership;
  readonly action?: "CREATE" | "ADOPT";
}

const MINUTE_MS = 60_000;

const deadlineAfter = (ports: Ports, timeoutMins: number) =>
  ports.clock.now() + timeoutMins * MINUTE_MS;

/**
 * The traversal is accepted, so a busy queue must not look like a refusal: the user would ask again
 * and learn that the stack exists. The sweeper sends the message later.
 */
export const sendPrepare = async (ports: Ports, stack: Stack): Promise<void> => {
  const { tenant, id: stackId, traversalId } = stack;
  try {
    await ports.queue.send("prepare", [
      { type: "prepare_traversal", tenant, stackId, traversalId },
    ]);
  } catch (error) {
    if (!(error instanceof RetryLater)) throw error;
  }
};

export const createFirstTraversal = async (ports: Ports, request: NewStack): Promise<Accepted> => {
  const stack = firstRecord(ports, request);
  if ((await ports.store.createStack(stack)) === "exists") {
    return { accepted: false, why: "the stack exists" };
  }
  await sendPrepare(ports, stack);
  return { accepted: true, stack };
};

const firstRecord = (
  ports: Ports,
  { ownership, askedBy, action = "CREATE", ...request }: NewStack,
): Stack => ({
  ...request,
  action,
  status: "IN_PROGRESS",
  statusReason: `Stack ${action} started`,
  actor: askedBy ?? null,
  snapshots: [],
  traversalId: ownership?.owner.childTraversalId ?? ports.ids.fresh(),
  traversalNumber: 1,
  statusVersion: 1,
  lastGood: null,
  lastGoodTags: null,
  lastGoodDescription: null,
  convergedAt: null,
  running: null,
  overtook: false,
  visitsAll: false,
  converges: false,
  sentAt: ports.clock.now(),
  cleanupFailed: null,
  suspended: false,
  abandonsUnreachable: false,
  deadline: ownership?.deadline ?? deadlineAfter(ports, request.timeoutMins),
  owner: ownership?.owner ?? null,
  settled: false,
  createdAt: ports.clock.now(),
  updatedAt: null,
  endedAt: null,
  deletedAt: null,
  expiresAt: null,
});

/**
 * Takes the place of a nested stack that its owner's delete did not find (P13). Otherwise an older
 * create that is still under way would make the stack after that delete.
 */
export const leaveStackTombstone = (
  ports: Ports,
  request: NewStack,
): Promise<"created" | "exists"> => {
  const now = ports.clock.now();
  return ports.store.createStack({
    ...firstRecord(ports, request),
    action: "DELETE",
    status: "COMPLETE",
    statusReason: "Stack DELETE completed successfully",
    endedAt: now,
    deletedAt: now,
  });
};

/** @returns null when P1 allows the action. */
export const whyRefused = (stack: Stack, action: StackAction): string | null => {
  const state = `${stack.action}_${stack.status}`;
  if (action === "DELETE") return null;
  if (stack.action === "DELETE") return `the stack is ${state}`;
  if (convergesTo(action)) {
    return stack.suspended ? "the stack is suspended" : null;
  }
  if (stack.status === "IN_PROGRESS") return `${state} is not at rest`;
  if (action === "RESUME" && !stack.suspended) return "the stack is not suspended";
  return null;
};

/** If two requests have read the same state, one of them loses (S14). */
export const acceptTraversal = async (
  ports: Ports,
  stack: Stack,
  request: OperationRequest,
): Promise<Accepted> => {
  const why = whyRefused(stack, request.action);
  if (why !== null) return { accepted: false, why };
  const { action, askedBy, templateId, snapshotName, ownership, ...options } = request;
  const traversalId = ownership?.owner.childTraversalId ?? ports.ids.fresh();
  const snapshot = { id: traversalId, name: snapshotName ?? null, createdAt: ports.clock.now() };
  const accepted = await writeTraversal(
    ports,
    stack,
    [{ clause: "statusVersionIs", statusVersion: stack.statusVersion }],
    {
      ...options,
      ...newTraversal(ports, { ...stack, ...options }, traversalId, action),
      actor: askedBy ?? null,
      ...ownership,
      templateId,
      visitsAll: options.visitsAll ?? false,
      converges: options.converges ?? false,
      ...(action === "SNAPSHOT" ? { snapshots: [...(stack.snapshots ?? []), snapshot] } : {}),
      ...(action === "SUSPEND" ? { suspended: true } : {}),
    },
  );
  return accepted ?? { accepted: false, why: "another request was faster" };
};

const newTraversal = (
  ports: Ports,
  stack: Stack,
  traversalId: string,
  action: StackAction,
): StackChange => ({
  action,
  status: "IN_PROGRESS",
  statusReason: `Stack ${action} started`,
  actor: null,
  traversalId,
  traversalNumber: stack.traversalNumber + 1,
  overtook: overtakes(stack),
  // `converges` is for one update. A rollback would pass it on to the nested stacks.
  converges: false,
  sentAt: ports.clock.now(),
  cleanupFailed: null,
  deadline: deadlineAfter(ports, stack.timeoutMins),
  settled: false,
  updatedAt: ports.clock.now(),
  endedAt: null,
});

export const nextTraversal = (
  stack: Stack,
  templateId: string,
  { visitsAll, converges }: Pick<Stack, "visitsAll" | "converges">,
): Stack => ({
  ...stack,
  action: "UPDATE",
  status: "IN_PROGRESS",
  traversalId: FORESEEN_TRAVERSAL_ID,
  traversalNumber: stack.traversalNumber + 1,
  overtook: overtakes(stack),
  templateId,
  visitsAll,
  converges,
});

const FORESEEN_TRAVERSAL_ID = "foreseen";

/** A traversal that ended COMPLETE has no visits left that could act. */
const overtakes = ({ status }: Stack): boolean => status !== "COMPLETE";

const writeTraversal = async (
  ports: Ports,
  stack: Stack,
  when: readonly StackClause[],
  change: StackChange,
): Promise<{ accepted: true; stack: Stack } | null> => {
  assert(!("running" in change) && !("lastGood" in change), "an acceptance owns neither");
  const write = await ports.store.writeStack(
    stack.tenant,
    stack.id,
    [{ clause: "traversalIs", traversalId: stack.traversalId }, ...when],
    change,
  );
  if (!write.written) return null;
  await sendPrepare(ports, write.stack);
  return { accepted: true, stack: write.stack };
};

/** The target of a rollback, which is the empty template if nothing was ever good. */
export const lastGoodTarget = (
  stack: Stack,
): Pick<Stack, "templateId" | "tags" | "description"> => ({
  templateId: stack.lastGood ?? EMPTY_TEMPLATE_ID,
  tags: stack.lastGoodTags ?? stack.tags,
  description: stack.lastGoodDescription ?? stack.description,
});

/** The target is good, so the next rollback goes back to it (P8). */
export const reachedTarget = (ports: Ports, stack: Stack): StackChange => ({
  lastGood: stack.templateId,
  lastGoodTags: stack.tags,
  lastGoodDescription: stack.description,
  convergedAt: ports.clock.now(),
});

/** The traversal id of the rollback that a failure starts. A user's rollback has a fresh one. */
export const rollbackTraversalId = (ids: Ids, failed: string): string =>
  ids.derive("rollback", failed);

/**
 * One write both fails the traversal and accepts its rollback (P7). If FAILED were written first, a
 * crash in between would leave a stack that is never rolled back.
 */
export const startRollback = async (
  ports: Ports,
  stack: Stack,
  reason: string,
  also: readonly StackClause[] = [],
): Promise<boolean> => {
  const traversalId = rollbackTraversalId(ports.ids, stack.traversalId);
  const accepted = await writeTraversal(ports, stack, [{ clause: "inProgress" }, ...also], {
    ...newTraversal(ports, stack, traversalId, "ROLLBACK"),
    statusReason: shortReason(reason),
    ...lastGoodTarget(stack),
  });
  return accepted !== null;
};

/** A cancel starts a traversal, so that every visit of the old one is stale. */
const neverPrepared = (ports: Ports, stack: Stack, traversalId: string): StackChange => ({
  ...newTraversal(ports, stack, traversalId, stack.action),
  status: "FAILED",
  endedAt: ports.clock.now(),
  statusReason: `Stack ${stack.action} cancelled`,
});

export const cancelWithoutRollback = async (ports: Ports, stack: Stack): Promise<Accepted> => {
  const cancellable =
    stack.status === "IN_PROGRESS" && (stack.action === "UPDATE" || stack.action === "CREATE");
  if (!cancellable) {
    return { accepted: false, why: `the stack is ${stack.action}_${stack.status}` };
  }
  const write = await ports.store.writeStack(
    stack.tenant,
    stack.id,
    [
      { clause: "traversalIs", traversalId: stack.traversalId },
      { clause: "statusVersionIs", statusVersion: stack.statusVersion },
    ],
    neverPrepared(ports, stack, ports.ids.fresh()),
  );
  return write.written
    ? { accepted: true, stack: write.stack }
    : { accepted: false, why: "another request was faster" };
};

export const cancelledTraversalId = (ports: Ports, traversalId: string): string =>
  ports.ids.derive("cancelled", traversalId);

/**
 * An interrupted operation of the owner cancels the traversal that it began, whatever its action,
 * and no other (P13). The owner is at work already, so no signal wakes it.
 * @returns false when that traversal has ended, or is not the current one.
 */
export const cancelNested = async (ports: Ports, child: Stack): Promise<boolean> => {
  const write = await ports.store.writeStack(
    child.tenant,
    child.id,
    [{ clause: "traversalIs", traversalId: child.traversalId }, { clause: "inProgress" }],
    neverPrepared(ports, child, cancelledTraversalId(ports, child.traversalId)),
  );
  return write.written;
};

/**
 * The owner's operation was interrupted between its two traversals (P20). The second must not
 * begin.
 * @returns false when the child has changed since it was read.
 */
export const closeNested = async (
  ports: Ports,
  child: Stack,
  owner: StackOwner,
): Promise<boolean> => {
  const write = await ports.store.writeStack(
    child.tenant,
    child.id,
    [
      { clause: "traversalIs", traversalId: child.traversalId },
      { clause: "statusVersionIs", statusVersion: child.statusVersion },
    ],
    { owner: { ...owner, step: "closed" } },
  );
  return write.written;
};

/** @returns false when the traversal was overtaken or has ended. */
export const writeRunning = async (
  ports: Ports,
  stack: Stack,
  change: StackChange,
  also: readonly StackClause[] = [],
): Promise<boolean> => {
  const write = await ports.store.writeStack(
    stack.tenant,
    stack.id,
    [{ clause: "traversalIs", traversalId: stack.traversalId }, { clause: "inProgress" }, ...also],
    change.status === undefined ? change : { ...change, endedAt: ports.clock.now() },
  );
  if (write.written && change.status !== undefined) await wakeOwner(ports, write.stack);
  return write.written;
};

/** If the signal of a nested stack's end is lost, the owner's poll finds the end (P13). */
const wakeOwner = async (ports: Ports, { owner, tenant }: Stack): Promise<void> => {
  if (owner === null) return;
  const { stackId, resourceId, generation } = owner;
  const operation = { tenant, stackId, resourceId, generation };
  await signalResource(ports, operation, { reason: null, final: true });
};
