import { rollbackTraversalId } from "#lib/convergence/traversal/traversal.ts";
import { BARRIER_TYPE } from "#lib/groups/barriers.ts";
import {
  type Change,
  type ResourceImage,
  type StackEvent,
  type StackImage,
  timeOfChange,
} from "#lib/model/event.ts";
import { refusedSignal } from "#lib/model/resource.ts";
import type { Ids } from "#lib/ports/ports.ts";

/**
 * Derives events from changes of rows and stacks. So no event is lost, and a refused change makes
 * none. A change that is delivered twice makes the same event id.
 */
export const eventsOfChange = (ids: Ids, change: Change, fedAt: number): readonly StackEvent[] => {
  if (change.table === "resources") {
    const { updatedAt } = change.newImage;
    // A signal does not update the row's time.
    const time = timeOfChange(fedAt, updatedAt === change.oldImage?.updatedAt ? null : updatedAt);
    const event = resourceEvent(ids, { ...change, time });
    return event ? [event] : [];
  }
  const { oldImage, newImage } = change;
  const isBeginning = oldImage?.traversalId !== newImage.traversalId;
  const begunAt = newImage.updatedAt ?? newImage.createdAt;
  const time = timeOfChange(fedAt, isBeginning ? begunAt : newImage.endedAt);
  return stackEvents(ids, { oldImage, newImage, time });
};

interface ImageChange<Image> {
  readonly oldImage: Image | null;
  readonly newImage: Image;
  readonly time: number;
}

type State = Pick<ResourceImage | StackImage, "action" | "status" | "statusReason">;

const stateChanged = (before: State, after: State): boolean =>
  before.action !== after.action ||
  before.status !== after.status ||
  before.statusReason !== after.statusReason;

/** Heat's event for an update that the environment forbids. The row keeps its status. */
const RESTRICTED = /^ResourceActionRestricted: \S+: (?<reason>.*)$/s;

/** Such a refusal writes the row once, and its reason is stored nowhere else. */
const refusalIn = ({ oldImage, newImage }: ImageChange<ResourceImage>): string | null => {
  const { status, statusReason, updatedAt } = newImage;
  if (status === "FAILED" || updatedAt === (oldImage?.updatedAt ?? null)) return null;
  return RESTRICTED.exec(statusReason)?.groups?.["reason"] ?? null;
};

/**
 * @returns null for a change that Heat has no event for: an insert, a tombstone, a stamp, a lease,
 * or any change of a barrier
 */
export const resourceEvent = (ids: Ids, change: ImageChange<ResourceImage>): StackEvent | null => {
  const { oldImage: before, newImage: row } = change;
  // A row in INIT makes an event only when it starts or stops waiting at a hook.
  const isUnstarted = row.action === "INIT" && row.statusReason === "";
  const isInsert = isUnstarted || (before === null && row.action === "DELETE");
  const refusal = refusalIn(change);
  const changed = refusal !== null || (!isInsert && (before === null || stateChanged(before, row)));
  const isNewSignal =
    row.signalReason !== (before?.signalReason ?? null) || row.signalId !== before?.signalId;
  const signalled = row.signalReason !== null && isNewSignal;
  if ((!changed && !signalled) || row.type === BARRIER_TYPE) return null;
  const isRefused = row.signalReason === refusedSignal(row.action);
  return {
    id: ids.derive(row.id, String(row.version)),
    tenant: row.tenant,
    stackId: row.stackId,
    time: change.time,
    resourceName: row.name,
    resourceType: row.type,
    physicalResourceId: row.physicalResourceId ?? "",
    ...(row.physicalResourceId === null ? { resourceId: row.id } : {}),
    ...(refusal === null
      ? {
          resourceAction: changed || isRefused ? row.action : "SIGNAL",
          resourceStatus: row.status,
          reason: changed ? row.statusReason : (row.signalReason ?? ""),
        }
      : { resourceAction: "UPDATE", resourceStatus: "FAILED", reason: refusal }),
    change: { recordId: row.id, version: row.version, traversalNumber: row.number },
    generation: row.generation,
  };
};

/**
 * A stack's event has the stack's name as its resource name, and clients look for that. A new
 * traversal makes an event even in the same state. A failure with rollback is one write but two
 * events, as in Heat: clients of an update wait only for UPDATE_COMPLETE or UPDATE_FAILED.
 */
export const stackEvents = (ids: Ids, change: ImageChange<StackImage>): readonly StackEvent[] => {
  const { oldImage: before, newImage: stack } = change;
  const sameTraversal = before?.traversalId === stack.traversalId;
  if (before && sameTraversal && !stateChanged(before, stack)) return [];
  const version = String(stack.statusVersion);
  const now: StackEvent = {
    id: ids.derive(stack.id, version),
    tenant: stack.tenant,
    stackId: stack.id,
    time: change.time,
    resourceName: stack.name,
    resourceType: "OS::Heat::Stack",
    physicalResourceId: stack.id,
    resourceAction: stack.action,
    resourceStatus: stack.status,
    reason: stack.statusReason,
    ...(sameTraversal || stack.actor === null ? {} : { actor: stack.actor }),
    change: {
      recordId: stack.id,
      version: stack.statusVersion,
      traversalNumber: stack.traversalNumber,
    },
  };
  if (!before || stack.traversalId !== rollbackTraversalId(ids, before.traversalId)) return [now];
  const id = ids.derive(stack.id, version, "failed");
  return [{ ...now, id, resourceAction: before.action, resourceStatus: "FAILED" }, now];
};
