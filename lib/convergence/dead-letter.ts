/**
 * P12: a message that could not be worked off. The resource fails with a reason, so that nothing hangs
 * and nothing is redriven blindly; but like any visit the handler must claim the row first, because a
 * poisoned duplicate must not fail a healthy stack.
 */
import { RetryLater } from "#lib/errors.ts";
import type { OperationAction } from "#lib/model/action.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { CheckResourceMessage, Message } from "#lib/ports/queue.ts";
import { isExtant } from "#lib/stack/best-resource.ts";
import { isStale } from "#lib/stack/is-stale.ts";
import { sealProperties } from "#lib/stack/reference.ts";
import { claim, takeLease } from "./claim.ts";
import { complete } from "./complete.ts";
import { indexGraph } from "./convergence-graph.ts";
import { decideCleanup, decideUpdate } from "./decide.ts";
import { failForReason, failTraversal } from "./failure.ts";
import { isPaused } from "./hook.ts";
import { abandonOperation, type Drive, driveOperation } from "./operation.ts";
import { hasPropagated, isMarkedDone } from "./readiness.ts";
import { graphPosition } from "./replacement.ts";
import { writeRunning } from "./traversal.ts";
import { nodeAt, ownsOperation, sendVisits, type Visit } from "./visit.ts";

export type DeadLetterOutcome = "failed" | "stale" | "done" | "busy";

const REASON = "its message was given up after too many deliveries; the log has the errors";

export const handleDeadLetter = async (
  ports: Ports,
  message: Message,
): Promise<DeadLetterOutcome> => {
  if (message.type === "check_resource") return failNode(ports, message);
  const stack = await ports.store.getStack(message.tenant, message.stackId);
  if (stack === null || isStale(stack, message)) return "stale";
  await writeRunning(ports, stack, {
    status: "FAILED",
    statusReason: `Stack ${stack.action} could not be prepared: ${REASON}`,
  });
  return "failed";
};

const failNode = async (
  ports: Ports,
  message: CheckResourceMessage,
): Promise<DeadLetterOutcome> => {
  const stack = await ports.store.getStack(message.tenant, message.stackId);
  const row = await ports.store.getResource({ stackId: message.stackId, id: message.resourceId });
  if (stack === null || (isStale(stack, message) && !ownsOperation(row, message))) return "stale";
  const graph = await ports.store.getGraph(message.stackId, message.traversalId);
  if (graph === null) return "stale";
  const index = indexGraph(graph);
  const at = await graphPosition(ports, index, message, row);
  if (at === undefined) return "stale";
  const visit: Visit = { message, stack, index, at, node: nodeAt(index, at), row };
  if (isMarkedDone(row, message.traversalId, message.isUpdate)) return "done";
  if (hasNothingToClaim(visit)) {
    if (isStale(stack, message) || (await hasPropagated(ports, index, at, stack))) return "done";
    await failForReason(
      ports,
      visit,
      `Resource ${visit.node.name} could not be checked: ${REASON}`,
    );
    return "failed";
  }
  const held = await hold(ports, visit);
  if (held?.operation == null) return "busy";
  // Somebody may have called the provider and died: ended now, what that call made would be left behind.
  if (row?.operation != null && row.operation.handle === null) {
    const drive = await askAgain(ports, stack, held);
    if (drive?.drive === "ended" || drive?.drive === "replace") {
      await sendVisits(ports, message, [message]);
    }
    if (drive !== null) return "busy";
  }
  await abandonOperation(ports, stack, held);
  // A result that came meanwhile was taken, and its sender told so: it counts, and its own message brings it.
  const ended = await complete(
    ports,
    held,
    held.operation,
    { state: "failed", reason: REASON },
    { also: [{ clause: "signalsAre", signals: held.signals }] },
  );
  if (!ended.written) return "busy";
  if (!isStale(stack, message)) await failTraversal(ports, visit, ended.row);
  return "failed";
};

/** Null: it cannot be asked, which may be why the message was given up. */
const askAgain = async (ports: Ports, stack: Stack, held: Resource): Promise<Drive | null> => {
  try {
    return await driveOperation(ports, stack, held, true);
  } catch (error) {
    if (error instanceof RetryLater) throw error;
    return null;
  }
};

/**
 * Such a node leaves no mark, so nothing on its row would tell a claim that comes late that its
 * traversal has long ended: it must not be claimed here either. Nor must a tombstone.
 */
const hasNothingToClaim = ({ index, message, node, row }: Visit): boolean => {
  if (row !== null && !isExtant(row)) return true;
  const stackAction = index.graph.action;
  const { traversalId } = message;
  const isChosen = index.positionOf({ resourceId: node.resourceId, isUpdate: true }) !== undefined;
  const unresolved = {
    isOfType: false,
    type: null,
    before: null,
    after: null,
    hasOtherMetadata: false,
    checkFailed: false,
  };
  const { decision } = message.isUpdate
    ? decideUpdate({ stackAction, row, ...unresolved })
    : decideCleanup({ stackAction, traversalId, row, isChosen, nests: false, retains: false });
  return decision === "pass";
};

/** The row with our lease on an operation of this node. Null: somebody else is at it, or there is nothing to do. */
const hold = async (ports: Ports, visit: Visit): Promise<Resource | null> => {
  const { row, message, node } = visit;
  if (row === null && !node.mints) return null;
  if (row?.operation != null && !ownsOperation(row, message)) return null;
  // It waits for a user, who will send another message.
  if (isPaused(row, message)) return null;
  // A healthy operation that waits for its poll: what was poisoned is a duplicate.
  if (row?.nextPollAt != null && row.nextPollAt > ports.clock.now()) return null;
  const write =
    row?.operation != null
      ? await takeLease(ports, row)
      : await claim(ports, visit, {
          action: actionFor(visit),
          type: row?.type ?? "",
          templateId: visit.index.graph.templateId,
          properties: row?.properties ?? (await sealProperties(ports, message, {})),
          requires: row?.requires ?? [],
          operationMsMax: 0,
        });
  return write.written ? write.row : null;
};

const actionFor = ({ index, message, row }: Visit): OperationAction => {
  const { action } = index.graph;
  if (action === "SUSPEND" || action === "RESUME") return action;
  if (action === "CHECK" || action === "SNAPSHOT") return action;
  if (!message.isUpdate) return "DELETE";
  if (row !== null && row.action !== "INIT") return "UPDATE";
  return action === "ADOPT" ? "ADOPT" : "CREATE";
};
