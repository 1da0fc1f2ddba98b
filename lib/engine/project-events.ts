/**
 * Events are derived from changes of rows and stacks, never written beside them: so none is lost and
 * none is written by a change that was refused. A change delivered twice makes the same event id.
 */
import { rollbackTraversalId } from "#lib/convergence/traversal.ts";
import type { ResourceImage, StackImage } from "#lib/model/change.ts";
import type { StackEvent } from "#lib/model/event.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ids } from "#lib/ports/ids.ts";

/** `time` is when the change was written, milliseconds since 1970. */
interface Change<Image> {
  readonly oldImage: Image | null;
  readonly newImage: Image;
  readonly time: number;
}

const stateChanged = (
  before: Pick<Stack, "status" | "statusReason"> & { readonly action: string },
  after: Pick<Stack, "status" | "statusReason"> & { readonly action: string },
): boolean =>
  before.action !== after.action ||
  before.status !== after.status ||
  before.statusReason !== after.statusReason;

/** Null for a change that is no news: a birth, as a tombstone too, a stamp, a lease. A signal is an event of its own, with the row's status. */
export const resourceEvent = (ids: Ids, change: Change<ResourceImage>): StackEvent | null => {
  const { oldImage: before, newImage: row } = change;
  // A row that is not created yet is news only where it waits for a hook, or no longer does.
  const isUntold = row.action === "INIT" && row.statusReason === "";
  const isBirth = isUntold || (before === null && row.action === "DELETE");
  const changed = !isBirth && (before === null || stateChanged(before, row));
  const signalled =
    row.signalReason !== null && row.signalReason !== (before?.signalReason ?? null);
  if (!changed && !signalled) return null;
  return {
    id: ids.derive(row.id, String(row.version)),
    tenant: row.tenant,
    stackId: row.stackId,
    time: change.time,
    resourceName: row.name,
    resourceType: row.type,
    physicalResourceId: row.physicalResourceId ?? "",
    ...(row.physicalResourceId === null ? { resourceId: row.id } : {}),
    resourceAction: changed ? row.action : "SIGNAL",
    resourceStatus: row.status,
    reason: changed ? row.statusReason : (row.signalReason ?? ""),
  };
};

/**
 * A stack's event looks like one of a resource of its name: clients wait for it by that. A new traversal is
 * news even in the same state. A failure that is rolled back is one write and two pieces of news, as in Heat:
 * who waits for an update waits for UPDATE_COMPLETE or UPDATE_FAILED, and for nothing else.
 */
export const stackEvents = (ids: Ids, change: Change<StackImage>): readonly StackEvent[] => {
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
  };
  if (!before || stack.traversalId !== rollbackTraversalId(ids, before.traversalId)) return [now];
  const id = ids.derive(stack.id, version, "failed");
  return [{ ...now, id, resourceAction: before.action, resourceStatus: "FAILED" }, now];
};
