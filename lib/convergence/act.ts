/** Starts an operation on a visit's row, or goes on with one that is there (P3.2 to P3.4). */
import { RetryLater } from "#lib/errors.ts";
import type { OperationAction } from "#lib/model/action.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { sealProperties } from "#lib/stack/record/reference.ts";
import { isStale } from "#lib/stack/stack-predicates.ts";
import { isInterruptible } from "#lib/stack/type-predicates.ts";
import { claim, isHeld, takeLease } from "./claim.ts";
import { complete } from "./complete.ts";
import type { Decision } from "./decide.ts";
import { publishedGraph } from "./graph/store-graph.ts";
import { POLL_EARLY_MS_MAX, WAIT_MS_MAX, WAIT_MS_MIN } from "./limits.ts";
import { currentTraversal } from "./messages.ts";
import { asHolder, type DriveOptions, driveOperation } from "./operation.ts";
import { endsForDelete } from "./plan-cleanup.ts";
import type { Plan } from "./plan-update.ts";
import { isDone, isNodeReady } from "./traversal/readiness.ts";
import { type CheckOutcome, rowOf, sendVisits, type Visit, type VisitResult } from "./visit.ts";

export type Acted =
  /** The node is done or has failed, and the row says so. */
  | { readonly kind: "ended"; readonly row: Resource }
  | { readonly kind: "replace"; readonly row: Resource }
  | { readonly kind: "stopped"; readonly outcome: CheckOutcome };

const stopped = (outcome: CheckOutcome): Acted => ({ kind: "stopped", outcome });

export const operate = async (
  ports: Ports,
  visit: Visit,
  plan: Plan,
  { kind, action }: Extract<Decision, { action: OperationAction }>,
): Promise<Acted> => {
  const write = await claim(ports, visit, {
    action,
    type: plan.type,
    templateId: plan.templateId,
    properties: await sealedProperties(ports, visit, plan),
    requires: plan.requires,
    ...(action === "ADOPT" ? { externalId: plan.externalId } : {}),
    operationMsMax: (await ports.resourceTypes.get(plan.type))?.lifecycle.operationMsMax ?? 0,
    ...(kind === "step" ? stepOf(visit) : {}),
  });
  if (!write.written) return afterRefusedClaim(ports, visit, write.row);
  const { operation } = write.row;
  if (plan.problem !== null && operation !== null && !operation.isStep) {
    const ending = { state: "failed" as const, reason: plan.problem };
    const ended = await complete(ports, write.row, operation, ending);
    return ended.written ? { kind: "ended", row: ended.row } : stopped("lost");
  }
  return driveHeld(ports, visit, write.row, { isReclaimed: false });
};

/** A step (P27) uses what the row was made from, and nothing of the target. */
const stepOf = ({ row }: Visit) => {
  if (row === null || row.properties === null || row.templateId === null) return { isStep: true };
  const { type, templateId, properties, requires } = row;
  return { isStep: true, type, templateId, properties, requires };
};

const sealedProperties = async (ports: Ports, visit: Visit, plan: Plan): Promise<string> => {
  const { row, message } = visit;
  if (!message.isUpdate && row !== null && row.properties !== null) return row.properties;
  return sealProperties(ports, rowOf(visit), plan.properties, plan.templateId);
};

const afterRefusedClaim = async (
  ports: Ports,
  visit: Visit,
  row: Resource | null,
): Promise<Acted> => {
  if (row !== null && row.number > visit.index.graph.traversalNumber) return stopped("fenced");
  if (row === null || !isHeld(row, ports.clock.now())) return stopped("moved");
  await waitForRow(ports, visit, row);
  return stopped("blocked");
};

/** Goes on with the operation of this visit's own node, which an earlier worker began. */
export const resumeOperation = async (
  ports: Ports,
  visit: Visit,
  row: Resource,
): Promise<Acted> => {
  const now = ports.clock.now();
  const held = asHolder(row, visit.message);
  if (held !== null) {
    return driveHeld(ports, visit, held, { isReclaimed: true });
  }
  if (isHeld(row, now)) {
    // Only one visit may wait for a row, preferably one of the current traversal. A stale visit
    // must not be dropped either: if the lease holder dies, no other message ends this operation.
    if (isStale(visit.stack, visit.message)) throw new RetryLater(`row ${row.id} is held`);
    await waitForRow(ports, visit, row);
    return stopped("blocked");
  }
  if (row.nextPollAt !== null && row.nextPollAt > now + POLL_EARLY_MS_MAX) return stopped("early");
  const taken = await takeLease(ports, row);
  if (!taken.written) return stopped("moved");
  return driveHeld(ports, visit, taken.row, { isReclaimed: true });
};

/**
 * The row is busy with another node's operation (P3.3). The visit waits while a worker holds the
 * row or the next poll is still to come. Otherwise it drives the operation, and the row is read
 * again. An operation that may be interrupted, or that ends for a delete (P25), does not wait for
 * its poll.
 */
export const yieldToOperation = async (
  ports: Ports,
  visit: Visit,
  row: Resource,
): Promise<VisitResult> => {
  const now = ports.clock.now();
  const { operation } = row;
  if (isHeld(row, now) || operation === null) return waitAsBlocked(ports, visit, row);
  const type = await ports.resourceTypes.get(operation.type);
  const isInterrupted = type !== null && isInterruptible(type, operation);
  // Without a handle the provider may not have been called. If a delete began now, it could find
  // nothing, and the object would appear later (P25). So the call is made again first.
  const isKnown = operation.handle !== null;
  const forDelete =
    isKnown && !isInterrupted && (await endsForDelete(ports, visit, row, operation));
  const isPolledLater = row.nextPollAt !== null && row.nextPollAt > now;
  if (isInterrupted || forDelete || !isPolledLater) {
    const taken = await takeLease(ports, row);
    if (!taken.written) return { outcome: "moved" };
    const drive = await driveOperation(ports, visit.stack, taken.row, {
      isReclaimed: true,
      forDelete,
    });
    if (drive.kind === "ended" || drive.kind === "replace") return { outcome: "moved" };
    if (drive.kind === "pending" && !isKnown && !visit.message.isUpdate) {
      return { outcome: "moved" };
    }
  }
  return waitAsBlocked(ports, visit, row);
};

const waitAsBlocked = async (ports: Ports, visit: Visit, row: Resource): Promise<VisitResult> => {
  await waitForRow(ports, visit, row);
  return { outcome: "blocked" };
};

const driveHeld = async (
  ports: Ports,
  visit: Visit,
  row: Resource,
  options: DriveOptions,
): Promise<Acted> => {
  const driven = await driveOperation(ports, visit.stack, row, options);
  if (driven.kind === "pending" && driven.row.number > visit.index.graph.traversalNumber) {
    // A cleanup of a newer traversal may wait only for this call. Send it without its delay (P25).
    await sendWaitingVisit(ports, visit, CLEANUP_NODE);
  }
  if (driven.kind === "pending" || driven.kind === "lost") return stopped(driven.kind);
  // The end of the operation is recorded, but an overtaken or ended traversal must not go on.
  const isOvertaken =
    driven.row.number > visit.index.graph.traversalNumber || isStale(visit.stack, visit.message);
  if (isOvertaken) {
    await sendWaitingVisit(ports, visit, BOTH_NODES);
    return stopped("overtaken");
  }
  return driven.kind === "ended" && row.operation?.isStep ? stopped("moved") : driven;
};

const CLEANUP_NODE: readonly boolean[] = [false];
const BOTH_NODES: readonly boolean[] = [true, false];

/** Sends the visit of the current traversal that waits for this row now, without delay (L6). */
const sendWaitingVisit = async (
  ports: Ports,
  { message }: Visit,
  nodes: readonly boolean[],
): Promise<void> => {
  const stack = await ports.store.getStack(message.tenant, message.stackId);
  if (stack === null || stack.status !== "IN_PROGRESS") return;
  const index = await publishedGraph(ports, stack);
  if (index === null) return;
  for (const isUpdate of nodes) {
    const node = { resourceId: message.resourceId, isUpdate };
    const at = await index.positionOf(node);
    if (at === undefined) continue;
    const waiting = await index.nodeAt(at);
    if (!(await isNodeReady(ports, index, waiting, stack))) continue;
    if (await isDone(ports, index, waiting, stack)) continue;
    await sendVisits(ports, currentTraversal(stack), [node]);
  }
};

/** Waits until the row is due to be free, within bounds, so a lease of 90 s costs few messages. */
const delayFor = (row: Resource, now: number): number => {
  const freeAt = row.lease?.expiresAt ?? row.nextPollAt ?? now;
  return Math.min(Math.max(freeAt - now, WAIT_MS_MIN), WAIT_MS_MAX);
};

/**
 * Only one visit waits for a busy row (P3.3): it sends itself again with a delay. The messages of
 * the others are deleted, because chains of self-sent messages would never merge.
 */
const waitForRow = async (ports: Ports, visit: Visit, row: Resource): Promise<void> => {
  const now = ports.clock.now();
  const delayMs = delayFor(row, now);
  const won = await ports.store.writeResource(
    { stackId: row.stackId, id: row.id },
    [
      { clause: "waitIsOver", now },
      // An overtaken visit must not wait in the place of the new traversal's visit.
      { clause: "numberAtMost", number: visit.index.graph.traversalNumber },
    ],
    { set: { waitUntil: now + delayMs } },
  );
  if (won.written) await ports.queue.send("check", [visit.message], delayMs);
};
