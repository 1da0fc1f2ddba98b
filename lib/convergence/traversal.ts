/**
 * P1, accepting an operation: ONE conditional write on the stack makes a new traversal current. It
 * overtakes the traversal that runs. All actions are the same write with another action name. The
 * rollback and the endings of P7 are here too.
 */
import { assert, RetryLater } from "#lib/errors.ts";
import type { StackAction } from "#lib/model/action.ts";
import type { Stack, StackOwner } from "#lib/model/stack.ts";
import type { StackClause } from "#lib/ports/conditions.ts";
import type { Ids } from "#lib/ports/ids.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { StackChange } from "#lib/ports/store.ts";
import { convergesTo } from "#lib/stack/stack-actions.ts";
import { EMPTY_TEMPLATE_ID } from "#lib/stack/template-record.ts";
import { shortReason } from "./complete.ts";
import { signalResource } from "./signal-resource.ts";

/**
 * What an operation of a nested stack gets from its owner (P13): the traversal's id and the
 * deadline.
 */
export interface Ownership {
  readonly owner: StackOwner;
  readonly deadline: number;
}

export interface OperationRequest {
  readonly action: StackAction;
  /** Absent: no credential was needed, or the engine itself asks. */
  readonly askedBy?: string | undefined;
  readonly templateId: string;
  readonly description?: string;
  readonly timeoutMins?: number;
  readonly disableRollback?: boolean;
  readonly tags?: readonly string[];
  readonly ownership?: Ownership;
  /** For a SNAPSHOT. */
  readonly snapshotName?: string | null;
  /** For a DELETE. */
  readonly abandonsUnreachable?: boolean;
  /** For an UPDATE. */
  readonly visitsAll?: boolean;
  /** For an UPDATE that visits everything. */
  readonly converges?: boolean;
}

export type Accepted =
  | { readonly accepted: true; readonly stack: Stack }
  /** The stack's state forbids the operation. */
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
  /** ADOPT takes over existing objects instead of creating them. */
  readonly action?: "CREATE" | "ADOPT";
}

const MINUTE_MS = 60_000;

const deadlineAfter = (ports: Ports, timeoutMins: number) =>
  ports.clock.now() + timeoutMins * MINUTE_MS;

/**
 * The traversal is accepted already, so a busy queue must not look like a refusal. The user would
 * ask again and learn that the stack exists. The sweeper sends the message later. A repeated or
 * stale message is harmless.
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

/** Creates a stack together with its first traversal. */
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
 * P13: takes the place of a nested stack that its owner's delete did not find. Without it, an older
 * create that is still under way would create the stack after that delete.
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

/** P1's refusals. Null: the action is allowed. */
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

/** `stack` is as the caller has read it. Of two requests that read the same state, one loses. */
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
  // Asked of one update. A rollback would pass it on to the nested stacks.
  converges: false,
  sentAt: ports.clock.now(),
  cleanupFailed: null,
  deadline: deadlineAfter(ports, stack.timeoutMins),
  settled: false,
  updatedAt: ports.clock.now(),
  endedAt: null,
});

/** The stack as its prepare would read it after the acceptance of an update. Nothing is written. */
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

/** No traversal has this id, so no row has its marks. */
const FORESEEN_TRAVERSAL_ID = "foreseen";

/** A traversal that ended COMPLETE has no visits left that could act. */
const overtakes = ({ status }: Stack): boolean => status !== "COMPLETE";

/** Null: the stack has moved on. */
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

/** What a rollback goes back to. Without a good target it is the empty template. */
export const lastGoodTarget = (
  stack: Stack,
): Pick<Stack, "templateId" | "tags" | "description"> => ({
  templateId: stack.lastGood ?? EMPTY_TEMPLATE_ID,
  tags: stack.lastGoodTags ?? stack.tags,
  description: stack.lastGoodDescription ?? stack.description,
});

/** P8: the target is good, so the next rollback goes back to it. */
export const reachedTarget = (ports: Ports, stack: Stack): StackChange => ({
  lastGood: stack.templateId,
  lastGoodTags: stack.tags,
  lastGoodDescription: stack.description,
  convergedAt: ports.clock.now(),
});

/** The traversal id of the rollback that a failure starts. A user's rollback gets a new one. */
export const rollbackTraversalId = (ids: Ids, failed: string): string =>
  ids.derive("rollback", failed);

/**
 * P7: one write both fails the traversal and accepts its rollback. FAILED is never written in
 * between.
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

/** The traversal that a cancel starts. From here on every visit of the old one is stale. */
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

/** The traversal that replaces one that the owner's interruption has cancelled. */
export const cancelledTraversalId = (ports: Ports, traversalId: string): string =>
  ports.ids.derive("cancelled", traversalId);

/**
 * P13: an interrupted operation of the owner cancels the child's traversal that it began, and no
 * other. It cancels every action, because the owner decides for its child. The owner is at work
 * already, so no signal wakes it. False: that traversal has ended, or is not the current one.
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
 * P20: the owner's operation was interrupted between its two traversals here, so nothing is left to
 * cancel. It begins no second one. False: the child has changed since it was read.
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

/** P7 and P8: a write for the running traversal. False: it was overtaken or has ended. */
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

/**
 * P13: the end of a nested stack signals its owner. If that is lost, the owner's poll finds the
 * end.
 */
const wakeOwner = async (ports: Ports, { owner, tenant }: Stack): Promise<void> => {
  if (owner === null) return;
  const { stackId, resourceId, generation } = owner;
  const operation = { tenant, stackId, resourceId, generation };
  await signalResource(ports, operation, { reason: null, final: true });
};
