/**
 * The convergence algorithm: what one "check this resource" message does. Start here. The words are
 * explained in docs/convergence.md. Traversals begin in traversal.ts and prepare.ts, not here.
 *
 * A traversal is one attempt to bring a stack to one target. Its graph has update nodes, which
 * create and change rows, and cleanup nodes, which remove them. A row is one version of a resource.
 *
 * A visit handles the message of one node. It decides what the node's row needs, claims the row,
 * calls the provider and records the end. Then it arrives at the nodes that wait for its own.
 * Workers die and messages get lost. So the operation is recorded before the provider is called,
 * and the sweeper replaces lost messages.
 *
 * C1  A visit of an overtaken traversal only ends an operation of its own node. If it had read the
 *     stack before it was overtaken, it may begin one until the newer traversal stamps the row.
 * C2  A node is visited only after all nodes that it waits for are done in this traversal. The
 *     senders keep this, so a visit does not check it: arrivals and the sweeper send ready nodes.
 * C3  Each write of a row or stack depends on what was read, or on the lease: repeats do no harm.
 * C4  The message is acknowledged last. After a crash it comes again.
 * C5  A replacement acts for the row that the graph names. Its dependents get its own id.
 */
import type { NodeKey } from "#lib/model/graph.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { CheckResourceMessage } from "#lib/ports/queue.ts";
import { type Acted, operate, resumeOperation, yieldToOperation } from "./act.ts";
import { writeDecision } from "./complete.ts";
import { waitAtHook } from "./hook.ts";
import { InlineContinuation } from "./inline.ts";
import { CLAIM_TRIES_MAX } from "./limits.ts";
import { checkResourceMessage } from "./messages.ts";
import { openVisit } from "./open-visit.ts";
import { planCleanup } from "./plan-cleanup.ts";
import { planUpdate } from "./plan-update.ts";
import { insertReplacement, letGo, makeReplacement } from "./replacement.ts";
import { arriveAtAll } from "./sync-point.ts";
import { failTraversal } from "./traversal/failure.ts";
import { isDone, isMarkedDone, waitingPoints } from "./traversal/readiness.ts";
import { checkStackComplete } from "./traversal/stack-completion.ts";
import {
  type Budget,
  type CheckOutcome,
  nodeDataOf,
  sendVisits,
  type Visit,
  type VisitResult,
} from "./visit.ts";

/** Visits the node of `message`, and then the nodes with which this worker goes on (P6). */
export const checkResource = async (
  ports: Ports,
  message: CheckResourceMessage,
  budget: Budget,
): Promise<CheckOutcome> => {
  const continuation = new InlineContinuation(ports.clock, budget);
  let current = message;
  for (;;) {
    const result = await visitNode(ports, current);
    budget.visited?.(current, result.outcome);
    const { next, send } = continuation.after(result);
    await sendVisits(ports, current, send);
    if (next === null) return result.outcome;
    current = checkResourceMessage(current, next);
  }
};

/** After repeated write conflicts the node is handled like one that has just become ready. */
const visitNode = async (ports: Ports, message: CheckResourceMessage): Promise<VisitResult> => {
  for (let tries = 1; tries <= CLAIM_TRIES_MAX; tries++) {
    const result = await visitOnce(ports, message);
    if (result.outcome !== "moved") return result;
  }
  return { outcome: "moved", ready: [message] };
};

const visitOnce = async (ports: Ports, message: CheckResourceMessage): Promise<VisitResult> => {
  const opened = await openVisit(ports, message);
  switch (opened.kind) {
    case "stale":
    case "dropped":
    case "fenced":
      return { outcome: opened.kind };
    case "begun":
      return endVisit(ports, opened.visit, await resumeOperation(ports, opened.visit, opened.row));
    case "done":
      return propagateDone(ports, opened.visit, opened.row);
    case "failed":
      return propagateFailure(ports, opened.visit, opened.row);
    case "replaced":
      return goToReplacement(await insertReplacement(ports, opened.visit, opened.row));
    case "busy":
      return yieldToOperation(ports, opened.visit, opened.row);
    case "open": {
      const paused = await waitAtHook(ports, opened.visit, "before");
      const check = message.isUpdate ? checkResourceUpdate : checkResourceCleanup;
      return paused ?? check(ports, opened.visit);
    }
  }
};

/** An update node: its row is created, changed, replaced or kept. */
const checkResourceUpdate = async (ports: Ports, visit: Visit): Promise<VisitResult> => {
  const plan = await planUpdate(ports, visit);
  const { decision } = plan;
  switch (decision.kind) {
    case "act": // CREATE, UPDATE, ADOPT, CHECK, RESUME or SNAPSHOT.
    case "step": // One look at the object, or its start (P27). Then the node decides again.
      return endVisit(ports, visit, await operate(ports, visit, plan, decision));
    case "replace":
      return replaceRow(ports, visit, visit.row);
    // These need one write on the row, and no provider call.
    case "keep":
    case "refuse":
    case "missing":
      return endVisit(ports, visit, await writeDecision(ports, visit, plan, decision));
    case "pass":
      return propagateCheckResource(ports, visit, visit.row, plan.checkFailed);
  }
};

/** A cleanup node: the object of its row is deleted, suspended or kept. */
const checkResourceCleanup = async (ports: Ports, visit: Visit): Promise<VisitResult> => {
  const { row } = visit;
  const plan = await planCleanup(ports, visit);
  const { decision } = plan;
  if (decision.kind === "pass") return propagateCheckResource(ports, visit, row, plan.checkFailed);
  // A row without a node may require this one, and lets go of it first (partial update, P24).
  const goes = row !== null && decision.kind !== "refuse";
  const end = goes ? await letGo(ports, visit, row) : "let go";
  if (end !== "let go") return { outcome: end };
  const acted =
    decision.kind === "act" // DELETE or SUSPEND.
      ? await operate(ports, visit, plan, decision)
      : await writeDecision(ports, visit, plan, decision);
  return endVisit(ports, visit, acted);
};

const replaceRow = async (
  ports: Ports,
  visit: Visit,
  old: Resource | null,
): Promise<VisitResult> => {
  if (old === null) return { outcome: "dropped" }; // Only a row can be replaced.
  const made = await makeReplacement(ports, visit, old);
  return made.kind === "made" ? goToReplacement(made.node) : { outcome: made.kind };
};

const goToReplacement = (node: NodeKey): VisitResult => ({ outcome: "replaced", ready: [node] });

/** After an end the graph goes on, or the stack fails. A stopped visit leaves both to another. */
const endVisit = async (ports: Ports, visit: Visit, acted: Acted): Promise<VisitResult> => {
  if (acted.kind === "stopped") return { outcome: acted.outcome };
  if (acted.kind === "replace") return replaceRow(ports, visit, acted.row);
  return isMarkedDone(acted.row, visit.message.traversalId, visit.message.isUpdate)
    ? propagateDone(ports, visit, acted.row)
    : propagateFailure(ports, visit, acted.row);
};

const propagateFailure = async (
  ports: Ports,
  visit: Visit,
  row: Resource,
): Promise<VisitResult> => {
  await failTraversal(ports, visit, row);
  return { outcome: "failed" };
};

/** A node with a post-hook is done, but propagates only after a user has cleared the hook. */
const propagateDone = async (ports: Ports, visit: Visit, row: Resource): Promise<VisitResult> =>
  (await waitAtHook(ports, { ...visit, row }, "after")) ??
  propagateCheckResource(ports, visit, row);

/**
 * Arrives at everything that waits for this node (P5). `ready` are the nodes whose last missing
 * arrival this was. For `again` and `done` nothing was missing before; only a repeated message uses
 * them (inline.ts).
 */
export const propagateCheckResource = async (
  ports: Ports,
  visit: Visit,
  row: Resource | null,
  checkFailed = row?.checkFailed ?? false,
): Promise<VisitResult> => {
  const { index, node, stack } = visit;
  const ready: NodeKey[] = [];
  const again: NodeKey[] = [];
  const done: NodeKey[] = [];
  const data = nodeDataOf(visit, row, checkFailed);
  const points = waitingPoints(index, node, stack);
  for (const { point, arrival } of await arriveAtAll(ports, points, data)) {
    if (!arrival.ready) continue;
    const next = { resourceId: point.resourceId, isUpdate: point.isUpdate };
    if (point.at === null) await checkStackComplete(ports, stack, index, point.isUpdate);
    else if (arrival.accepted) ready.push(next);
    // An earlier visit arrived here, and may have died before it sent the node. If this message is
    // repeated, the node is sent again, or walked through if it is done (inline.ts).
    else if (await isDone(ports, index, await index.nodeAt(point.at), stack)) done.push(next);
    else again.push(next);
  }
  return { outcome: "propagated", ready, again, done };
};
