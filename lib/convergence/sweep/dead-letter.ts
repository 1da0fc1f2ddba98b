/**
 * Handles a message that failed at every delivery (P12): its resource fails with a reason, so that
 * nothing hangs. The handler claims the row first, because a poisoned duplicate must not fail a
 * healthy stack.
 */
import { RetryLater } from "#lib/errors.ts";
import type { OperationAction } from "#lib/model/action.ts";
import type { Operation, Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { ALONE_MAX, type CheckResourceMessage, type Message } from "#lib/ports/queue.ts";
import type { RowWrite } from "#lib/ports/store.ts";
import { sealProperties } from "#lib/stack/record/reference.ts";
import { isStale } from "#lib/stack/stack-predicates.ts";
import { isExtant } from "#lib/stack/standing-rows.ts";
import { claim, takeLease } from "../claim.ts";
import { complete, type Ending } from "../complete.ts";
import { type Decision, decideCleanup, decideUpdate } from "../decide.ts";
import { isPaused } from "../hook.ts";
import { readVisit } from "../open-visit.ts";
import { abandonOperation, type Drive, driveOperation } from "../operation.ts";
import { isChosenRow } from "../plan-cleanup.ts";
import { mayBeLost, unknownOutcome } from "../provider-call.ts";
import { letGo } from "../replacement.ts";
import { failForReason, failTraversal } from "../traversal/failure.ts";
import { hasPropagated, isMarkedDone, waitingPoints } from "../traversal/readiness.ts";
import { writeRunning } from "../traversal/traversal.ts";
import { ownsOperation, rowOf, sendVisits, type Visit } from "../visit.ts";

export type DeadLetterOutcome = "failed" | "stale" | "done" | "busy";

const GIVEN_UP = "its message was given up after too many deliveries; the log has the errors";
const ENDS_PROCESS = `its message was set aside, because Hearth ended ${ALONE_MAX} times while it handled nothing else`;

const reasonOf = ({ endsProcess }: Message): string => (endsProcess ? ENDS_PROCESS : GIVEN_UP);

export const handleDeadLetter = async (
  ports: Ports,
  message: Message,
): Promise<DeadLetterOutcome> => {
  if (message.type === "check_resource") return failNode(ports, message);
  const stack = await ports.store.getStack(message.tenant, message.stackId);
  if (stack === null || isStale(stack, message)) return "stale";
  await writeRunning(ports, stack, {
    status: "FAILED",
    statusReason: `Stack ${stack.action} could not be prepared: ${reasonOf(message)}`,
  });
  return "failed";
};

const failNode = async (
  ports: Ports,
  message: CheckResourceMessage,
): Promise<DeadLetterOutcome> => {
  const opened = await readVisit(ports, message);
  if (opened.kind !== "open") return "stale";
  const { visit } = opened;
  const { row } = visit;
  if (isMarkedDone(row, message.traversalId, message.isUpdate)) return "done";
  if (await hasNothingToClaim(visit)) return failUnclaimed(ports, visit);
  const held = await claimToFail(ports, visit);
  if (held === null || held.operation === null) return "busy";
  // An earlier worker may have called the provider and died. Unless the call is made again, its
  // object is lost.
  const mayHaveBeenCalled = row !== null && row.operation !== null && row.operation.handle === null;
  if (mayHaveBeenCalled && !message.endsProcess) {
    const drive = await callAgain(ports, visit.stack, held);
    if (drive?.kind === "ended" || drive?.kind === "replace") {
      await sendVisits(ports, message, [message]);
    }
    if (drive !== null) return "busy";
  }
  const isLost = mayHaveBeenCalled && (await mayBeLost(ports, held.operation));
  const givenUp: Ending = { state: "failed", reason: reasonOf(message) };
  const ending = isLost ? unknownOutcome(held.operation) : givenUp;
  return endAsFailed(ports, visit, held, held.operation, ending);
};

const failUnclaimed = async (ports: Ports, visit: Visit): Promise<DeadLetterOutcome> => {
  const { stack, message, index, node } = visit;
  const points = waitingPoints(index, node, stack);
  if (isStale(stack, message) || (await hasPropagated(ports, points))) return "done";
  await failForReason(
    ports,
    visit,
    `Resource ${node.name} could not be checked: ${reasonOf(message)}`,
  );
  return "failed";
};

const endAsFailed = async (
  ports: Ports,
  visit: Visit,
  held: Resource,
  operation: Operation,
  ending: Ending,
): Promise<DeadLetterOutcome> => {
  await abandonOperation(ports, visit.stack, held);
  // A signal that came meanwhile was accepted, so it counts: its own message ends the operation.
  const ended = await complete(ports, held, operation, ending, {
    also: [{ clause: "signalsAre", signals: held.signals }],
  });
  if (!ended.written) return "busy";
  if (!isStale(visit.stack, visit.message)) await failTraversal(ports, visit, ended.row);
  return "failed";
};

const callAgain = async (ports: Ports, stack: Stack, held: Resource): Promise<Drive | null> => {
  try {
    return await driveOperation(ports, stack, held, { isReclaimed: true });
  } catch (error) {
    if (error instanceof RetryLater) throw error;
    return null;
  }
};

const NOTHING_TO_CLAIM: ReadonlySet<Decision["kind"]> = new Set(["pass", "refuse", "missing"]);

/**
 * A node that does nothing to its row leaves no mark. A late claim would not see that its traversal
 * has ended, so the handler must not claim the row.
 */
const hasNothingToClaim = async ({ index, message, node, row }: Visit): Promise<boolean> => {
  if (row !== null && !isExtant(row)) return true;
  const stackAction = index.graph.action;
  const { traversalId } = message;
  const isChosen = await isChosenRow(index, node);
  const unresolved = {
    isOfType: false,
    type: null,
    before: null,
    after: null,
    hasOtherMetadata: false,
    checkFailed: false,
    externalId: row?.externalId ?? null,
    mendsDrift: false,
  };
  const decision = message.isUpdate
    ? decideUpdate({ stackAction, traversalId, row, ...unresolved })
    : decideCleanup({ stackAction, traversalId, row, isChosen, nests: false, retains: false });
  // A row that waits for its user's answer (P18) must keep its reason. So must a row that a CHECK
  // finds missing: a failed CHECK would hide that nothing was made.
  return NOTHING_TO_CLAIM.has(decision.kind);
};

const claimToFail = async (ports: Ports, visit: Visit): Promise<Resource | null> => {
  const { row, message, node } = visit;
  if (row === null && !node.mints) return null;
  const isBusy = row !== null && row.operation !== null;
  if (isBusy && !ownsOperation(row, message)) return null;
  // The node waits at a hook. The user who clears it sends another message.
  if (isPaused(row, message)) return null;
  // The operation waits for its poll as it should, so the dead letter was a duplicate.
  if (row?.nextPollAt != null && row.nextPollAt > ports.clock.now()) return null;
  if (!isBusy && !(await isLetGo(ports, visit))) return null;
  const write = isBusy ? await takeLease(ports, row) : await claimUnresolved(ports, visit);
  return write.written ? write.row : null;
};

/** As in a visit, no row may still require what the claim is about to delete (P24). */
const isLetGo = async (ports: Ports, visit: Visit): Promise<boolean> => {
  const { row } = visit;
  if (row === null || actionFor(visit) !== "DELETE") return true;
  return (await letGo(ports, visit, row)) === "let go";
};

/** The operation gets no time for a call, so another worker that finds it ends it as failed. */
const claimUnresolved = async (ports: Ports, visit: Visit): Promise<RowWrite> => {
  const { row, index } = visit;
  return claim(ports, visit, {
    action: actionFor(visit),
    type: row?.type ?? "",
    templateId: index.graph.templateId,
    properties: row?.properties ?? (await sealProperties(ports, rowOf(visit), {}, null)),
    requires: row?.requires ?? [],
    operationMsMax: 0,
  });
};

const actionFor = ({ index, message, row }: Visit): OperationAction => {
  const { action } = index.graph;
  if (action === "SUSPEND" || action === "RESUME") return action;
  if (action === "CHECK" || action === "SNAPSHOT") return action;
  if (!message.isUpdate) return "DELETE";
  if (row !== null && row.action !== "INIT") return "UPDATE";
  return action === "ADOPT" ? "ADOPT" : "CREATE";
};
