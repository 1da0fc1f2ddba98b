/**
 * Drives an operation whose lease this worker holds (P3.4). The provider is called only while the
 * lease outlasts the call. An operation that has not finished is left to a delayed poll or to a
 * signal. If it waits for something outside, it ends when its traversal is overtaken or its
 * deadline passes. A DELETE ends at its deadline only.
 */
import { present, RetryLater } from "#lib/errors.ts";
import type { Operation, Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import {
  type CheckResourceMessage,
  type KeptLease,
  MESSAGE_DELAY_MS_MAX,
} from "#lib/ports/queue.ts";
import type { Interruption, Progress, ResourceType } from "#lib/ports/resource-type.ts";
import type { ResourceFields, RowWrite } from "#lib/ports/store.ts";
import { resourceContext } from "#lib/stack/resource-context.ts";
import { endsUnanswered, isInterruptible, mayKeepLease } from "#lib/stack/type-predicates.ts";
import { releaseLease } from "./claim.ts";
import { complete, type Ending } from "./complete.ts";
import { whyNameIsHeld } from "./decide.ts";
import { KEPT_CHARS_MAX, KEPT_WAIT_MS_MAX, LOOKS_MAX } from "./limits.ts";
import { visitOfOwner } from "./messages.ts";
import { askProvider, type Hold, providerCall, withoutType } from "./provider-call.ts";

export type Drive =
  | { readonly kind: "ended"; readonly row: Resource }
  /** The operation goes on at the provider, and its poll is sent. */
  | { readonly kind: "pending"; readonly row: Resource }
  | { readonly kind: "replace"; readonly row: Resource }
  | { readonly kind: "lost" };

type Look = Drive | { readonly kind: "look again"; readonly row: Resource };

export interface DriveOptions {
  readonly isReclaimed: boolean;
  readonly forDelete?: boolean;
}

export const driveOperation = async (
  ports: Ports,
  stack: Stack,
  claimed: Resource,
  { isReclaimed, forDelete = false }: DriveOptions,
): Promise<Drive> => {
  let row = claimed;
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const operation = present(row.operation, `operation of ${row.id}`);
    // A dead-letter handler claimed the row before its type was known, and died.
    if (operation.type === "") {
      return end(ports, row, operation, { state: "failed", reason: GIVEN_UP });
    }
    const type = await ports.resourceTypes.get(operation.type);
    if (type === null) {
      const ending = withoutType(ports, operation, isReclaimed && looks === 0);
      return end(ports, row, operation, ending);
    }
    if (operation.deadline <= operation.startedAt) {
      // A dead-letter handler claimed the row only to fail it, and died.
      return end(ports, row, operation, { state: "failed", reason: GIVEN_UP });
    }
    if (leaseMsLeft(ports, row) <= type.lifecycle.callMsMax) return giveUp(ports, row);
    const call = await providerCall(ports, stack, row, operation);
    const hold: Hold = { ports, stack, type, row, operation, call };
    const isFirst = looks === 0;
    const found = await look(hold, {
      again: isReclaimed && isFirst,
      keeps: !isReclaimed && isFirst,
      forDelete,
    });
    if (found.kind !== "look again") return found;
    row = found.row;
  }
  return giveUp(ports, row);
};

const GIVEN_UP = "there was no time left for it when it began";

const leaseMsLeft = (ports: Ports, row: Resource): number =>
  (row.lease?.expiresAt ?? 0) - ports.clock.now();

interface LookOptions {
  readonly again: boolean;
  /** This worker has just claimed the row, so it may keep its lease (P26). */
  readonly keeps: boolean;
  readonly forDelete: boolean;
}

const look = async (hold: Hold, { again, keeps, forDelete }: LookOptions): Promise<Look> => {
  const { ports, stack, type, row, operation } = hold;
  const progress = await askProvider(hold, again);
  if (progress.state === "replace") {
    const reason = progress.isGone ? null : whyHeld(hold);
    return reason === null
      ? leaveToReplacement(ports, row, operation)
      : end(ports, row, operation, { state: "failed", reason, errorType: "" });
  }
  if (progress.state !== "waiting") return end(ports, row, operation, progress);

  const mayInterrupt = forDelete || isInterruptible(type, operation);
  const isOvertaken = mayInterrupt && stack.traversalId !== operation.traversalId;
  const isOver = ports.clock.now() >= operation.deadline;
  if (!isOver && !isOvertaken) return leaveToPoll(hold, progress, keeps);
  // Without a stored handle, the end of the operation would leave its object behind.
  return operation.handle === null
    ? saveHandle(hold, progress, {})
    : interrupt(hold, isOvertaken ? "overtaken" : "timed out");
};

/** Only an update has an old object whose name can be in the way (P9). */
const whyHeld = ({ type, row, call }: Hold): string | null =>
  call.action === "UPDATE" && call.previousProperties !== null
    ? whyNameIsHeld(row.name, type, call.previousProperties, call.properties)
    : null;

const writeHeld = (
  { ports, row }: Pick<Hold, "ports" | "row">,
  set: Partial<ResourceFields>,
): Promise<RowWrite> =>
  ports.store.writeResource(
    { stackId: row.stackId, id: row.id },
    [
      { clause: "leaseHeldBy", token: row.lease?.token ?? "" },
      { clause: "signalsAre", signals: row.signals },
    ],
    { set },
  );

/** If this worker still has its lease, the write was refused because a signal came meanwhile. */
const afterRefusal = (
  row: Resource,
  found: Resource | null,
  seen: { readonly handle: string | null; readonly physicalResourceId: string | null },
): Look => {
  if (found === null || found.operation === null || found.lease?.token !== row.lease?.token) {
    return { kind: "lost" };
  }
  // The refused write did not store the provider's answer. Carry it on, or the object would be
  // lost.
  const { handle, physicalResourceId } = seen;
  return {
    kind: "look again",
    row: { ...found, physicalResourceId, operation: { ...found.operation, handle } },
  };
};

const saveHandle = async (
  hold: Hold,
  progress: WaitingProgress,
  set: Partial<ResourceFields>,
): Promise<Look> => {
  const { handle, physicalResourceId } = progress;
  const write = await writeHeld(hold, {
    operation: { ...hold.operation, handle },
    physicalResourceId,
    ...set,
  });
  if (!write.written) return afterRefusal(hold.row, write.row, { handle, physicalResourceId });
  return { kind: "look again", row: write.row };
};

const leaveToPoll = async (
  hold: Hold,
  progress: WaitingProgress,
  keeps: boolean,
): Promise<Look> => {
  const { ports, type, row, operation } = hold;
  const now = ports.clock.now();
  const untilDeadline = Math.max(operation.deadline - now, 0);
  const delayMs = Math.min(progress.pollAfterMs, untilDeadline, MESSAGE_DELAY_MS_MAX);
  const kept = keeps ? leaseToKeep(type, row, progress) : null;
  if (kept !== null) {
    await ports.queue.send("poll", [{ ...visitOfOwner(row, operation), kept }], delayMs);
    return { kind: "pending", row };
  }
  const saved = await saveHandle(hold, progress, { lease: null, nextPollAt: now + delayMs });
  if (saved.kind !== "look again" || saved.row.lease !== null) return saved;
  await ports.queue.send("poll", [visitOfOwner(row, operation)], delayMs);
  return { kind: "pending", row: saved.row };
};

/** A DELETE that waits ends as done, because a dead agent must not make a stack undeletable. */
const interrupt = async (hold: Hold, why: Interruption): Promise<Look> => {
  const { ports, type, row, operation, call } = hold;
  const waitedFor = await type.waiting?.abandon?.(call, resourceContext(ports, row), why);
  const told = waitedFor ? `${why}; ${waitedFor}` : why;
  const isWaitingDelete = endsUnanswered(type, operation);
  const ending: Ending = isWaitingDelete
    ? { state: "finished" }
    : { state: "failed", reason: `${operation.action} ${told}` };
  const note = isWaitingDelete ? `DELETE ended without an answer: ${told}` : undefined;
  const write = await complete(ports, row, operation, ending, {
    also: [{ clause: "signalsAre", signals: row.signals }],
    note,
  });
  if (write.written) return { kind: "ended", row: write.row };
  const { physicalResourceId } = row;
  return afterRefusal(row, write.row, { handle: operation.handle, physicalResourceId });
};

/**
 * For a caller that ends a waiting operation without driving it: the type withdraws what others can
 * see of it. If that fails, the operation must end all the same.
 */
export const abandonOperation = async (
  ports: Ports,
  stack: Stack,
  row: Resource,
): Promise<void> => {
  const { operation } = row;
  if (operation === null || operation.handle === null) return;
  const abandon = (await ports.resourceTypes.get(operation.type))?.waiting?.abandon;
  try {
    const context = resourceContext(ports, row);
    await abandon?.(await providerCall(ports, stack, row, operation), context, "given up");
  } catch (error) {
    if (error instanceof RetryLater) throw error;
  }
};

const end = async (
  ports: Ports,
  row: Resource,
  operation: Operation,
  ending: Ending,
): Promise<Drive> => {
  const write = await complete(ports, row, operation, ending);
  return write.written ? { kind: "ended", row: write.row } : { kind: "lost" };
};

/** The provider asks for a replacement during the operation (P9). */
const leaveToReplacement = async (
  ports: Ports,
  row: Resource,
  operation: Operation,
): Promise<Drive> => {
  const write = await writeHeld(
    { ports, row },
    {
      ...operation.before,
      operation: null,
      lease: null,
      nextPollAt: null,
      updatedAt: ports.clock.now(),
    },
  );
  return write.written ? { kind: "replace", row: write.row } : { kind: "lost" };
};

/** The lease is released first, so that the visit that is sent finds a free row. */
const giveUp = async (ports: Ports, row: Resource): Promise<Drive> => {
  const operation = present(row.operation, `operation of ${row.id}`);
  await releaseLease(ports, row);
  await ports.queue.send("poll", [visitOfOwner(row, operation)]);
  return { kind: "lost" };
};

/**
 * A kept lease (P26): during a short first wait the worker writes nothing. The poll's message
 * carries the lease's token and the provider's answer, so its visit goes on as that worker would
 * have. If the message is lost, the lease ends, and the call is made again with its token. If it
 * comes twice, both workers only look, and the first write ends the lease for the other.
 */
export type WaitingProgress = Extract<Progress, { state: "waiting" }>;

/** @returns null when the answer must be written to the row, and the lease given back. */
export const leaseToKeep = (
  type: ResourceType,
  { lease }: Resource,
  { handle, physicalResourceId, pollAfterMs }: WaitingProgress,
): KeptLease | null =>
  lease !== null &&
  mayKeepLease(type) &&
  pollAfterMs <= KEPT_WAIT_MS_MAX &&
  handle.length + physicalResourceId.length <= KEPT_CHARS_MAX
    ? { token: lease.token, handle, physicalResourceId }
    : null;

/** @returns the row as its holder knows it, or null when the message is not the holder's. */
export const asHolder = (row: Resource, { kept }: CheckResourceMessage): Resource | null => {
  const { operation, lease } = row;
  if (kept === undefined || operation === null || lease?.token !== kept.token) return null;
  const { handle, physicalResourceId } = kept;
  return { ...row, physicalResourceId, operation: { ...operation, handle } };
};
