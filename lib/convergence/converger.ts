/**
 * The convergence algorithm: how one "check this resource" message is worked off. Start here.
 *
 * A message names a node (row, update or cleanup) of a traversal. Its visit finds out what the row
 * needs, claims the row, asks the provider, records the end, and tells whoever waits for the node.
 * It is not the place where a traversal begins (traversal.ts, prepare.ts), and it never sleeps.
 *
 * C1  A visit of an overtaken traversal starts nothing; it only ends what its own operation began.
 * C2  A node is visited only after everything that it waits for is done in this traversal.
 * C3  Each write is conditional on what the visit has read, so visiting twice is harmless.
 * C4  The message is acknowledged last: whatever crashes before is done again, and finds its traces.
 * C5  A replacement acts for the row that the graph names, and its dependents get its own id.
 */
import type { NodeKey } from "#lib/model/graph.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { CheckResourceMessage } from "#lib/ports/queue.ts";
import { isStale } from "#lib/stack/is-stale.ts";
import { operate, resumeOperation, writeDecision, yieldToOperation } from "./act.ts";
import { indexGraph } from "./convergence-graph.ts";
import { failTraversal } from "./failure.ts";
import { waitAtHook } from "./hook.ts";
import {
  CLAIM_TRIES_MAX,
  INLINE_MS_MAX,
  INLINE_NODES_MAX,
  INLINE_REMAINING_MS_MIN,
} from "./limits.ts";
import { checkResourceMessage } from "./messages.ts";
import { planCleanup, planUpdate } from "./plan.ts";
import { isDone, isMarkedDone, waitingPoints } from "./readiness.ts";
import { bearReplacement, graphPosition, makeReplacement } from "./replacement.ts";
import { checkStackComplete } from "./stack-completion.ts";
import { arriveAtAll } from "./sync-point.ts";
import {
  type Budget,
  type CheckOutcome,
  nodeAt,
  nodeDataOf,
  ownsOperation,
  replacementId,
  type Step,
  sendVisits,
  type Visit,
} from "./visit.ts";

/** Visits the node of `message`, and goes on inline with one node that this makes ready (P6). */
export const checkResource = async (
  ports: Ports,
  message: CheckResourceMessage,
  budget: Budget,
): Promise<CheckOutcome> => {
  const startedAt = ports.clock.now();
  // What a redelivered message finds arrived at may never have been sent, so it sends that again, and walks once
  // through what is done, to where its first delivery ended. On a first delivery there is nothing to find: whoever
  // arrived there is about to send. Were duplicates to do either, each would double at every hop. Whose queue does not
  // count deliveries must take each for a repeated one.
  const isFirst = budget.isRepeated === false;
  const walk: NodeKey[] = [];
  const seen = new Set<string>();
  let current = message;
  for (let visited = 1; ; visited++) {
    const step = await visitNode(ports, current);
    const { outcome, done = [] } = step;
    budget.visited?.(current, outcome);
    const ready = [...(step.ready ?? []), ...(isFirst ? [] : (step.again ?? []))];
    for (const node of isFirst ? [] : done) {
      if (!seen.has(node.resourceId + node.isUpdate)) walk.push(node);
      seen.add(node.resourceId + node.isUpdate);
    }
    const next = ready[0] ?? walk.shift();
    if (next === undefined) return outcome;
    const goesOn =
      visited < INLINE_NODES_MAX &&
      ports.clock.now() - startedAt < INLINE_MS_MAX &&
      budget.remainingMs() > INLINE_REMAINING_MS_MIN;
    await sendVisits(ports, current, goesOn ? ready.slice(1) : ready);
    if (!goesOn) return outcome;
    current = checkResourceMessage(current, next);
  }
};

/** Who loses against other writers again and again comes back as a new message, instead of holding up its worker. */
const visitNode = async (ports: Ports, message: CheckResourceMessage): Promise<Step> => {
  for (let tries = 1; tries <= CLAIM_TRIES_MAX; tries++) {
    const step = await visitOnce(ports, message);
    if (step.outcome !== "moved") return step;
  }
  return { outcome: "moved", ready: [message] };
};

const visitOnce = async (ports: Ports, message: CheckResourceMessage): Promise<Step> => {
  const stack = await ports.store.getStack(message.tenant, message.stackId);
  const row = await ports.store.getResource({ stackId: message.stackId, id: message.resourceId });
  const owns = ownsOperation(row, message);
  // P3.0: an operation that my node began must be ended, whoever runs now; else it would block the row for ever.
  if (stack === null || (isStale(stack, message) && !owns)) return { outcome: "stale" };
  const graph = await ports.store.getGraph(message.stackId, message.traversalId);
  // Never published, or gone with its stack: nobody waits for this visit.
  if (graph === null) return { outcome: "stale" };
  const index = indexGraph(graph);
  const at = await graphPosition(ports, index, message, row);
  if (at === undefined) return { outcome: "dropped" };
  const node = nodeAt(index, at);
  const visit: Visit = { message, stack, index, at, node, row };
  if (owns && row !== null) return settle(ports, visit, await resumeOperation(ports, visit, row));
  if (row === null) return checkNode(ports, visit);

  const { traversalId, isUpdate } = message;
  // P3.1, before any decision: what this traversal has already decided about the row.
  if (isMarkedDone(row, traversalId, isUpdate)) return propagateDone(ports, visit, row);
  if (row.failed?.traversalId === traversalId && row.failed.isUpdate === isUpdate) {
    await failTraversal(ports, visit, row);
    return { outcome: "failed" };
  }
  if (isUpdate && row.replacedBy === replacementId(ports, traversalId, row.id)) {
    return { outcome: "replaced", ready: [await bearReplacement(ports, visit, row)] };
  }
  // A newer traversal has stamped or claimed it; which message tells it so is that one's business.
  if (row.number > graph.traversalNumber) return { outcome: "fenced" };
  if (row.operation !== null) return yieldToOperation(ports, visit, row);
  return checkNode(ports, visit);
};

const checkNode = async (ports: Ports, visit: Visit): Promise<Step> => {
  // P10: only the traversal that mints a row may bring it into being. A cleanup node of an absent row is done.
  const { row, node, message } = visit;
  if (row === null && message.isUpdate && !node.mints) return { outcome: "dropped" };
  const paused = await waitAtHook(ports, visit, "before");
  if (paused !== null) return paused;
  const plan = await (message.isUpdate ? planUpdate : planCleanup)(ports, visit);
  switch (plan.decision.decision) {
    case "pass":
      return propagateCheckResource(ports, visit, row, plan.checkFailed);
    case "replace":
      return replaceRow(ports, visit, row);
    case "act":
      return settle(ports, visit, await operate(ports, visit, plan, plan.decision.action));
    default:
      return settle(ports, visit, await writeDecision(ports, visit, plan));
  }
};

const replaceRow = async (ports: Ports, visit: Visit, old: Resource | null): Promise<Step> => {
  if (old === null) return { outcome: "dropped" };
  const made = await makeReplacement(ports, visit, old);
  return made.replacement === "made"
    ? { outcome: "replaced", ready: [made.node] }
    : { outcome: made.replacement };
};

/** After the row's write: on with the graph, or with the failure, unless the traversal has been overtaken. */
const settle = async (
  ports: Ports,
  visit: Visit,
  result: Step | { readonly ended: Resource } | { readonly replace: Resource },
): Promise<Step> => {
  if ("outcome" in result) return result;
  if ("replace" in result) return replaceRow(ports, visit, result.replace);
  const row = result.ended;
  if (isMarkedDone(row, visit.message.traversalId, visit.message.isUpdate)) {
    return propagateDone(ports, visit, row);
  }
  await failTraversal(ports, visit, row);
  return { outcome: "failed" };
};

/** A node that is done tells nobody before its post-hook is cleared. */
const propagateDone = async (ports: Ports, visit: Visit, row: Resource): Promise<Step> =>
  (await waitAtHook(ports, { ...visit, row }, "after")) ??
  propagateCheckResource(ports, visit, row);

/** P5: input data and arrival for everything that waits for this node; whatever is ready and not done is visited next. */
export const propagateCheckResource = async (
  ports: Ports,
  visit: Visit,
  row: Resource | null,
  checkFailed = row?.checkFailed ?? false,
): Promise<Step> => {
  const { index, at, stack } = visit;
  const ready: NodeKey[] = [];
  const again: NodeKey[] = [];
  const done: NodeKey[] = [];
  const data = nodeDataOf(visit, row, checkFailed);
  const points = waitingPoints(index, at, stack);
  for (const { point, arrival } of await arriveAtAll(ports, points, at, data)) {
    if (!arrival.ready) continue;
    const node = { resourceId: point.resourceId, isUpdate: point.isUpdate };
    if (point.at === null) await checkStackComplete(ports, stack, index, point.isUpdate);
    // Refused means: it had arrived before, perhaps just before a crash. Done ones are never sent again.
    else if (arrival.accepted) ready.push(node);
    else if (await isDone(ports, index, point.at, stack)) done.push(node);
    else again.push(node);
  }
  return { outcome: "propagated", ready, again, done };
};
