/** What a visit does to its row: an operation through the provider, or one write where no call is needed. */
import { RetryLater } from "#lib/errors.ts";
import type { OperationAction } from "#lib/model/action.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { RowWrite } from "#lib/ports/store.ts";
import { isStale } from "#lib/stack/is-stale.ts";
import { sealProperties } from "#lib/stack/reference.ts";
import { isInterruptible } from "#lib/stack/type-predicates.ts";
import { claim, takeLease, writeUnlocked } from "./claim.ts";
import { complete } from "./complete.ts";
import { indexGraph } from "./convergence-graph.ts";
import { passedHook } from "./hook.ts";
import { POLL_EARLY_MS_MAX, TOMBSTONE_MS } from "./limits.ts";
import { type Drive, driveOperation } from "./operation.ts";
import type { Plan } from "./plan.ts";
import { isDone, isNodeReady } from "./readiness.ts";
import { type Step, sendVisits, type Visit } from "./visit.ts";
import { waitForRow } from "./wait.ts";

export type Acted = Step | { readonly ended: Resource } | { readonly replace: Resource };

/** A fresh operation: claim, call, record. */
export const operate = async (
  ports: Ports,
  visit: Visit,
  plan: Plan,
  action: OperationAction,
): Promise<Acted> => {
  const write = await claim(ports, visit, {
    action,
    type: plan.type,
    templateId: plan.templateId,
    properties: await sealProperties(ports, visit.message, plan.properties),
    requires: plan.requires,
    operationMsMax: (await ports.resourceTypes.get(plan.type))?.lifecycle.operationMsMax ?? 0,
  });
  if (!write.written) return refused(ports, visit, write.row);
  const { operation } = write.row;
  if (plan.problem !== null && operation !== null) {
    const ending = { state: "failed" as const, reason: plan.problem };
    const ended = await complete(ports, write.row, operation, ending);
    return ended.written ? { ended: ended.row } : { outcome: "lost" };
  }
  return afterDrive(ports, visit, await driveOperation(ports, visit.stack, write.row, false));
};

/** My node's own operation, begun by an earlier worker or left to a poll. */
export const resumeOperation = async (
  ports: Ports,
  visit: Visit,
  row: Resource,
): Promise<Acted> => {
  const now = ports.clock.now();
  if (row.lease !== null && row.lease.expiresAt > now) {
    // One visit may wait for a row, and the traversal that runs has more need of that than an overtaken
    // one. But should whoever holds the row die, nobody else would end this operation.
    if (isStale(visit.stack, visit.message)) throw new RetryLater(`row ${row.id} is held`);
    await waitForRow(ports, visit, row);
    return { outcome: "blocked" };
  }
  if (row.nextPollAt !== null && row.nextPollAt > now + POLL_EARLY_MS_MAX)
    return { outcome: "early" };
  const taken = await takeLease(ports, row);
  if (!taken.written) return { outcome: "moved" };
  return afterDrive(ports, visit, await driveOperation(ports, visit.stack, taken.row, true));
};

/**
 * P3.3: the row is busy with another node's operation. If nobody holds it, this visit drives it to its
 * end and records that for its owner; then it is this node's turn. Otherwise it waits.
 */
export const yieldToOperation = async (
  ports: Ports,
  visit: Visit,
  row: Resource,
): Promise<Step> => {
  const now = ports.clock.now();
  const { operation } = row;
  const type = await ports.resourceTypes.get(operation?.type ?? "");
  const mayInterrupt = type !== null && operation !== null && isInterruptible(type, operation);
  const isHeld = row.lease !== null && row.lease.expiresAt > now;
  const isPolledLater = !mayInterrupt && row.nextPollAt !== null && row.nextPollAt > now;
  if (!isHeld && !isPolledLater) {
    const taken = await takeLease(ports, row);
    if (!taken.written) return { outcome: "moved" };
    const drive = await driveOperation(ports, visit.stack, taken.row, true);
    if (drive.drive === "ended" || drive.drive === "replace") return { outcome: "moved" };
  }
  await waitForRow(ports, visit, row);
  return { outcome: "blocked" };
};

const afterDrive = async (ports: Ports, visit: Visit, drive: Drive): Promise<Acted> => {
  if (drive.drive === "pending") return { outcome: "pending" };
  if (drive.drive === "lost") return { outcome: "lost" };
  // Stamped, or ended by a failure or a cancel: it did happen and is recorded, but nothing follows from it here.
  const isOvertaken =
    drive.row.number > visit.index.graph.traversalNumber || isStale(visit.stack, visit.message);
  if (isOvertaken) {
    await sendWaitingVisit(ports, visit);
    return { outcome: "overtaken" };
  }
  return drive.drive === "replace" ? { replace: drive.row } : { ended: drive.row };
};

/** The traversal that runs now may have a visit waiting for this row: it need not wait for its delay. */
const sendWaitingVisit = async (ports: Ports, { message }: Visit): Promise<void> => {
  const stack = await ports.store.getStack(message.tenant, message.stackId);
  if (stack === null || stack.status !== "IN_PROGRESS" || stack.running !== stack.traversalId)
    return;
  const graph = await ports.store.getGraph(stack.id, stack.traversalId);
  if (graph === null) return;
  const index = indexGraph(graph);
  const traversal = { tenant: stack.tenant, stackId: stack.id, traversalId: stack.traversalId };
  for (const isUpdate of [true, false]) {
    const node = { resourceId: message.resourceId, isUpdate };
    const at = index.positionOf(node);
    if (at === undefined || !(await isNodeReady(ports, index, at, stack))) continue;
    if (!(await isDone(ports, index, at, stack))) await sendVisits(ports, traversal, [node]);
  }
};

const afterWrite = (write: RowWrite): Acted =>
  write.written ? { ended: write.row } : { outcome: "moved" };

/** No difference: the row takes the target's template and its mark. */
const keepRow = async (ports: Ports, visit: Visit, plan: Plan): Promise<Acted> =>
  afterWrite(
    await writeUnlocked(ports, visit, {
      templateId: visit.index.graph.templateId,
      requires: plan.requires,
      updateDone: visit.message.traversalId,
      checkFailed: false,
      replacedBy: null,
      // What did not change is not stopped after its update.
      ...(plan.hooks.has("post-update") ? { pause: passedHook(visit, "post-update") } : {}),
    }),
  );

/** A restricted action: the node fails, and the row, of which nothing has changed, stays as healthy as it was. */
const refuseChange = async (ports: Ports, visit: Visit, reason: string): Promise<Acted> => {
  const { traversalId, isUpdate } = visit.message;
  return afterWrite(
    await writeUnlocked(ports, visit, {
      failed: { traversalId, isUpdate },
      statusReason: reason,
      updatedAt: ports.clock.now(),
    }),
  );
};

/** CHECK of what is not in service: it was never created, or its last operation failed. */
const markMissing = async (ports: Ports, visit: Visit): Promise<Acted> =>
  afterWrite(
    await writeUnlocked(ports, visit, {
      updateDone: visit.message.traversalId,
      checkFailed: true,
      statusReason:
        visit.row?.status === "FAILED"
          ? visit.row.statusReason
          : `Error: resources.${visit.node.name}: it has not been created`,
    }),
  );

/** The row goes without a call; as a tombstone, because an older graph may still name it. */
const dropRow = async (ports: Ports, visit: Visit): Promise<Acted> =>
  afterWrite(
    await writeUnlocked(ports, visit, {
      action: "DELETE",
      status: "COMPLETE",
      statusReason: "state changed",
      cleanupDone: visit.message.traversalId,
      updatedAt: ports.clock.now(),
      expiresAt: ports.clock.now() + TOMBSTONE_MS,
    }),
  );

/** What a decision leaves to do that is one write and no call. */
export const writeDecision = (ports: Ports, visit: Visit, plan: Plan): Promise<Acted> => {
  const { decision } = plan;
  if (decision.decision === "refuse") return refuseChange(ports, visit, decision.reason);
  if (decision.decision === "keep") return keepRow(ports, visit, plan);
  return decision.decision === "drop" ? dropRow(ports, visit) : markMissing(ports, visit);
};

/** A refused claim: the row as it stood says what to do. */
const refused = async (ports: Ports, visit: Visit, row: Resource | null): Promise<Step> => {
  if (row !== null && row.number > visit.index.graph.traversalNumber) return { outcome: "fenced" };
  if (row !== null && row.lease !== null && row.lease.expiresAt > ports.clock.now()) {
    await waitForRow(ports, visit, row);
    return { outcome: "blocked" };
  }
  return { outcome: "moved" };
};
