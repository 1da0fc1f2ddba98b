/**
 * P3.4 and P14: driving an operation, by whoever holds its lease. The provider is called while the
 * lease outlasts the call; what is not finished is left to a delayed poll or to a signal; what waits
 * for the outside ends when its traversal is overtaken or its deadline passes.
 */
import { Bug, present, RetryLater } from "#lib/errors.ts";
import type { Operation, Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { MESSAGE_DELAY_MS_MAX } from "#lib/ports/queue.ts";
import type {
  Handler,
  Interruption,
  Progress,
  ProviderCall,
  ResourceType,
} from "#lib/ports/resource-type.ts";
import type { ResourceFields, RowWrite } from "#lib/ports/store.ts";
import { openProperties } from "#lib/stack/reference.ts";
import { resourceContext } from "#lib/stack/resource-context.ts";
import { loadTemplate } from "#lib/stack/template-record.ts";
import { handlerFor, isInterruptible } from "#lib/stack/type-predicates.ts";
import { complete, type Ending } from "./complete.ts";
import { LOOKS_MAX } from "./limits.ts";
import { checkResourceMessage } from "./messages.ts";

export type Drive =
  /** The operation has ended and that is recorded; `row` tells how. */
  | { readonly drive: "ended"; readonly row: Resource }
  /** It goes on outside; its poll is sent. */
  | { readonly drive: "pending"; readonly row: Resource }
  /** The provider cannot update in place; the row is as it was before the operation. */
  | { readonly drive: "replace"; readonly row: Resource }
  /** The lease is too short for a call, or somebody else's by now. */
  | { readonly drive: "lost" };

type Step = Drive | { readonly drive: "look again"; readonly row: Resource };

/** One worker's hold on an operation. */
interface Hold {
  readonly ports: Ports;
  readonly stack: Stack;
  readonly type: ResourceType;
  readonly row: Resource;
  readonly operation: Operation;
  readonly call: ProviderCall;
}

/** `claimed` is the row with our lease on it. `reclaimed`: an earlier worker may have called the provider already. */
export const driveOperation = async (
  ports: Ports,
  stack: Stack,
  claimed: Resource,
  reclaimed: boolean,
): Promise<Drive> => {
  let row = claimed;
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const operation = present(row.operation, `operation of ${row.id}`);
    const type = await ports.resourceTypes.get(operation.type);
    if (type === null) {
      const reason = `The Resource Type (${operation.type}) could not be found.`;
      return end(ports, row, operation, { state: "failed", reason });
    }
    if (operation.deadline <= operation.startedAt) {
      // A dead letter claimed it only to fail it, and died: it has nothing to call a provider with.
      return end(ports, row, operation, { state: "failed", reason: GIVEN_UP });
    }
    if (leaseMsLeft(ports, row) <= type.lifecycle.callMsMax) return giveUp(ports, row);
    const call = await providerCall(ports, stack, row, operation);
    const hold: Hold = { ports, stack, type, row, operation, call };
    const step = await look(hold, reclaimed && looks === 0);
    if (step.drive !== "look again") return step;
    row = step.row;
  }
  return giveUp(ports, row);
};

const GIVEN_UP = "there was no time left for it when it began";

const leaseMsLeft = (ports: Ports, row: Resource): number =>
  (row.lease?.expiresAt ?? 0) - ports.clock.now();

const look = async (hold: Hold, reclaimed: boolean): Promise<Step> => {
  const { ports, stack, type, row, operation } = hold;
  const progress = await ask(hold, reclaimed);
  if (progress.state === "replace") return askForReplacement(ports, row, operation);
  if (progress.state !== "waiting") return end(ports, row, operation, progress);

  const isOvertaken =
    isInterruptible(type, operation) && stack.traversalId !== operation.traversalId;
  const isOver = ports.clock.now() >= operation.deadline;
  if (!isOver && !isOvertaken) return leaveToPoll(hold, progress);
  // Only with a stored handle: an operation that ends before would leave its object behind.
  return operation.handle === null
    ? saveHandle(hold, progress, {})
    : interrupt(hold, isOvertaken ? "overtaken" : "timed out");
};

const ask = async (hold: Hold, reclaimed: boolean): Promise<Progress> => {
  const { ports, type, operation, call } = hold;
  const context = resourceContext(ports, hold.row);
  try {
    if (operation.handle !== null) {
      const { checkComplete } = type.lifecycle;
      return (await checkComplete?.(call, operation.handle, context)) ?? { state: "finished" };
    }
    if (reclaimed) {
      const found = await findEarlierCall(hold);
      if (found !== null) return found;
    }
    return (await (await handlerOf(hold))?.(call, context)) ?? { state: "finished" };
  } catch (error) {
    // The message itself comes back. Were another sent beside it, each throttled call would double them.
    if (error instanceof RetryLater) await releaseLease(ports, hold.row);
    if (error instanceof RetryLater || error instanceof Bug) throw error;
    return { state: "failed", reason: error instanceof Error ? error.message : String(error) };
  }
};

/** P14: whether a call that may have been made already can be made again. Null: it can. */
const findEarlierCall = async ({
  ports,
  type,
  row,
  operation,
  call,
}: Hold): Promise<Progress | null> => {
  const policy = type.lifecycle.tokenPolicy;
  if (policy.tokens === "kept") return null;
  if (policy.tokens === "ignored") return { state: "failed", reason: OUTCOME_UNKNOWN };
  const stillKept =
    policy.tokens === "window" && ports.clock.now() - operation.startedAt < policy.windowMs;
  const { find } = type.lifecycle;
  return stillKept ? null : ((await find?.(call, resourceContext(ports, row))) ?? null);
};

const OUTCOME_UNKNOWN =
  "outcome unknown: the worker was lost during the call, and this provider cannot be asked what became of it";

const handlerOf = async (hold: Hold): Promise<Handler | undefined> => {
  const { type, operation } = hold;
  const handleSnapshotDelete = type.snapshots?.handleSnapshotDelete;
  if (operation.action === "DELETE" && handleSnapshotDelete && (await snapshots(hold))) {
    return handleSnapshotDelete;
  }
  const handler = handlerFor(type, operation.action);
  return operation.action === "ADOPT" ? (handler ?? adopt) : handler;
};

/** The policy is that of the template of the row's last success, which a delete does not change. */
const snapshots = async ({ ports, row }: Hold): Promise<boolean> => {
  if (row.templateId === null) return false;
  const { template } = await loadTemplate(ports, row.tenant, row.stackId, row.templateId);
  return template.resources.get(row.name)?.deletionPolicy === "Snapshot";
};

/** Heat's handle_adopt: nothing is asked of the provider. */
const adopt: Handler = async ({ adopted }) =>
  adopted?.physicalResourceId
    ? {
        state: "finished",
        physicalResourceId: adopted.physicalResourceId,
        attributes: adopted.resourceData,
      }
    : { state: "failed", reason: "Resource ID was not provided.", errorType: "Exception" };

const adoptedOf = async (
  ports: Ports,
  row: Resource,
  { templateId }: Operation,
): Promise<Pick<ProviderCall, "adopted">> => {
  const { source } = await loadTemplate(ports, row.tenant, row.stackId, templateId);
  const adopted = source.adopted?.[row.name];
  return adopted === undefined ? {} : { adopted };
};

const providerCall = async (
  ports: Ports,
  stack: Stack,
  row: Resource,
  operation: Operation,
): Promise<ProviderCall> => ({
  tenant: row.tenant,
  stackId: row.stackId,
  stackName: stack.name,
  resourceId: row.id,
  resourceName: row.name,
  templateId: operation.templateId,
  action: operation.action,
  token: `${row.id}/${operation.action}/${operation.generation}`,
  generation: operation.generation,
  physicalResourceId: row.physicalResourceId,
  properties: await openProperties(ports, row, operation.properties),
  ...(operation.action === "ADOPT" ? await adoptedOf(ports, row, operation) : {}),
  previousProperties:
    row.properties === null ? null : await openProperties(ports, row, row.properties),
  deadline: operation.deadline,
});

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

/** A refused write with the lease still ours means that a signal came while we looked. */
const afterRefusal = (
  row: Resource,
  found: Resource | null,
  seen: { readonly handle: string | null; readonly physicalResourceId: string | null },
): Step => {
  if (found === null || found.operation === null || found.lease?.token !== row.lease?.token) {
    return { drive: "lost" };
  }
  // What the provider has told us and the refused write would have stored must not be lost.
  const { handle, physicalResourceId } = seen;
  return {
    drive: "look again",
    row: { ...found, physicalResourceId, operation: { ...found.operation, handle } },
  };
};

type Waiting = Extract<Progress, { state: "waiting" }>;

const saveHandle = async (
  hold: Hold,
  progress: Waiting,
  set: Partial<ResourceFields>,
): Promise<Step> => {
  const physicalResourceId = progress.physicalResourceId ?? hold.row.physicalResourceId;
  const { handle } = progress;
  const write = await writeHeld(hold, {
    operation: { ...hold.operation, handle },
    physicalResourceId,
    ...set,
  });
  if (!write.written) return afterRefusal(hold.row, write.row, { handle, physicalResourceId });
  return { drive: "look again", row: write.row };
};

const leaveToPoll = async (hold: Hold, progress: Waiting): Promise<Step> => {
  const { ports, row, operation } = hold;
  const now = ports.clock.now();
  const untilDeadline = Math.max(operation.deadline - now, 0);
  const delayMs = Math.min(progress.pollAfterMs, untilDeadline, MESSAGE_DELAY_MS_MAX);
  const step = await saveHandle(hold, progress, { lease: null, nextPollAt: now + delayMs });
  if (step.drive !== "look again" || step.row.lease !== null) return step;
  await ports.queue.send("poll", [ownersVisit(row, operation)], delayMs);
  return { drive: "pending", row: step.row };
};

const ownersVisit = (row: Resource, operation: Operation) =>
  checkResourceMessage(
    { tenant: row.tenant, stackId: row.stackId, traversalId: operation.traversalId },
    { resourceId: row.id, isUpdate: operation.isUpdate },
  );

/** A delete that waits for the outside ends as done: a dead agent must not make a stack undeletable. */
const interrupt = async (hold: Hold, why: Interruption): Promise<Step> => {
  const { ports, type, row, operation, call } = hold;
  const waitedFor = await type.waiting?.abandon?.(call, resourceContext(ports, row), why);
  const told = waitedFor ? `${why}; ${waitedFor}` : why;
  const isWaitingDelete = operation.action === "DELETE" && isInterruptible(type, operation);
  const ending: Ending = isWaitingDelete
    ? { state: "finished" }
    : { state: "failed", reason: `${operation.action} ${told}` };
  const note = isWaitingDelete ? `DELETE ended without an answer: ${told}` : undefined;
  const write = await complete(ports, row, operation, ending, {
    also: [{ clause: "signalsAre", signals: row.signals }],
    note,
  });
  if (write.written) return { drive: "ended", row: write.row };
  const { physicalResourceId } = row;
  return afterRefusal(row, write.row, { handle: operation.handle, physicalResourceId });
};

/**
 * For whoever ends a waiting operation without driving it: what others can see of it is told so. What cannot be told is no
 * reason to leave the operation as it is.
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
  return write.written ? { drive: "ended", row: write.row } : { drive: "lost" };
};

/** P9: the provider asks for a replacement in mid-operation. */
const askForReplacement = async (
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
  return write.written ? { drive: "replace", row: write.row } : { drive: "lost" };
};

const releaseLease = (ports: Ports, row: Resource): Promise<RowWrite> =>
  ports.store.writeResource(
    { stackId: row.stackId, id: row.id },
    [{ clause: "leaseHeldBy", token: row.lease?.token ?? "" }],
    { set: { lease: null, nextPollAt: row.operation?.handle == null ? null : ports.clock.now() } },
  );

/** The lease is released before the message goes, and the owner's visit is sent again. */
const giveUp = async (ports: Ports, row: Resource): Promise<Drive> => {
  const operation = present(row.operation, `operation of ${row.id}`);
  await releaseLease(ports, row);
  await ports.queue.send("poll", [ownersVisit(row, operation)]);
  return { drive: "lost" };
};
