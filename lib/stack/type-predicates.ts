/** The questions that the engine asks of a type. Null stands for a type that is not known. */
import type { OperationAction, ResourceAction } from "#lib/model/action.ts";
import type { Handler, ResourceType } from "#lib/ports/resource-type.ts";

export const nestsStack = (type: ResourceType | null): boolean => type?.nesting !== undefined;

/** A barrier only makes others wait for each other. */
export const isBarrier = (type: ResourceType | null): boolean => type?.ordering === "barrier";

/** After these a made object is still of use, as a rule. */
const CHANGES: ReadonlySet<ResourceAction> = new Set(["UPDATE", "SUSPEND", "RESUME", "SNAPSHOT"]);

/** A FAILED row of the type is created or updated again in place. */
export const isRepairable = (
  type: ResourceType | null,
  { action }: { readonly action: ResourceAction },
): boolean => {
  const repairable = type?.lifecycle.repairable;
  return repairable === "changes" ? CHANGES.has(action) : repairable === true;
};

export const isReplacedByEveryUpdate = (type: ResourceType | null): boolean =>
  type?.lifecycle.replacedByEveryUpdate === true;

/** An update to the same properties mends what others have changed, and replaces what is gone. */
export const updateMendsDrift = (type: ResourceType | null): boolean =>
  type?.lifecycle.updateMendsDrift === true;

/** Its row is never replaced for what has become of its object. */
export const isAlwaysMended = (type: ResourceType | null): boolean =>
  type?.lifecycle.repairable === true;

export const canStart = (type: ResourceType | null): boolean =>
  type?.lifecycle.handleResume !== undefined;

export const canLook = (type: ResourceType | null): boolean =>
  type?.lifecycle.handleCheck !== undefined;

/** Whether a newer traversal ends the operation. It waits for a DELETE, which nobody repeats. */
export const isInterruptible = (
  type: ResourceType,
  { action }: { readonly action: OperationAction },
): boolean =>
  type.waiting !== undefined && type.waiting.outlivesTraversal !== true && action !== "DELETE";

/**
 * Whether the operation ends as done when its time is over: a DELETE that waits for an agent, which
 * may be dead. A nested stack would be left without an owner.
 */
export const endsUnanswered = (
  type: ResourceType,
  { action }: { readonly action: OperationAction },
): boolean =>
  type.waiting !== undefined &&
  type.waiting.outlivesTraversal !== true &&
  !nestsStack(type) &&
  action === "DELETE";

/** Whether a delete may begin while another operation of the object goes on (P25). */
export const deletesAtOnce = (type: ResourceType | null): boolean =>
  type !== null && type.lifecycle.deleteWaits !== true;

/**
 * Whether two workers may poll an operation of the type under one lease, and whether its call can
 * be repeated when both are lost (P26). Who waits for a signal must find its handle on the row.
 */
export const mayKeepLease = ({ waiting, lifecycle }: ResourceType): boolean =>
  waiting === undefined && lifecycle.onlyLooks === true && lifecycle.tokenPolicy.tokens === "kept";

/** Whether a row of the type may stay as it is when nothing in the template has changed. */
export const mayStayUnchanged = (type: ResourceType | null): boolean =>
  type !== null &&
  !nestsStack(type) &&
  !isReplacedByEveryUpdate(type) &&
  type.schema.isReplacedByUpdate === undefined;

/** A change of the definition's metadata section is a change of the resource. */
export const readsMetadata = (type: ResourceType | null): boolean =>
  type?.schema.readsMetadata !== undefined;

/** Absent: the action has nothing to do for this type, or for ADOPT no more than to take over. */
export const handlerFor = (type: ResourceType, action: OperationAction): Handler | undefined => {
  const { lifecycle, adoption, snapshots } = type;
  const handlers: Readonly<Record<OperationAction, Handler | undefined>> = {
    CREATE: lifecycle.handleCreate,
    UPDATE: lifecycle.handleUpdate,
    DELETE: lifecycle.handleDelete,
    SUSPEND: lifecycle.handleSuspend,
    RESUME: lifecycle.handleResume,
    CHECK: lifecycle.handleCheck,
    ADOPT: adoption?.handleAdopt,
    SNAPSHOT: snapshots?.handleSnapshot,
  };
  return handlers[action];
};
