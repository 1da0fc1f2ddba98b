/** The questions that the engine asks of a type. Null stands for an unknown type. */
import type { OperationAction, ResourceAction } from "#lib/model/action.ts";
import type { Handler, ResourceType } from "#lib/ports/resource-type.ts";

export const nestsStack = (type: ResourceType | null): boolean => type?.nesting !== undefined;

export const isBarrier = (type: ResourceType | null): boolean => type?.ordering === "barrier";

/** After a failure of these actions the object is usually still of use. */
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

export const updateMendsDrift = (type: ResourceType | null): boolean =>
  type?.lifecycle.updateMendsDrift === true;

export const isAlwaysMended = (type: ResourceType | null): boolean =>
  type?.lifecycle.repairable === true;

export const canStart = (type: ResourceType | null): boolean =>
  type?.lifecycle.handleResume !== undefined;

export const canLook = (type: ResourceType | null): boolean =>
  type?.lifecycle.handleCheck !== undefined;

/** Whether a newer traversal ends the operation. A DELETE is never ended. */
export const isInterruptible = (
  type: ResourceType,
  { action }: { readonly action: OperationAction },
): boolean =>
  type.waiting !== undefined && type.waiting.outlivesTraversal !== true && action !== "DELETE";

/**
 * Whether the operation ends as done at its deadline: a DELETE that waits for an agent, which may
 * be dead. A nested stack is excluded, because it would lose its owner.
 */
export const endsUnanswered = (
  type: ResourceType,
  { action }: { readonly action: OperationAction },
): boolean =>
  type.waiting !== undefined &&
  type.waiting.outlivesTraversal !== true &&
  !nestsStack(type) &&
  action === "DELETE";

/** Whether a delete may begin while another operation on the object goes on (P25). */
export const deletesAtOnce = (type: ResourceType | null): boolean =>
  type !== null && type.lifecycle.deleteWaits !== true;

/**
 * A kept lease (P26) needs a type that two workers may poll under one lease, and whose call can be
 * repeated if both are lost. A type that waits for a signal is excluded: the signal must find the
 * handle on the row.
 */
export const mayKeepLease = ({ waiting, lifecycle }: ResourceType): boolean =>
  waiting === undefined && lifecycle.onlyLooks === true && lifecycle.tokenPolicy.tokens === "kept";

/** Whether a row may stay as it is if nothing in the template has changed. */
export const mayStayUnchanged = (type: ResourceType | null): boolean =>
  type !== null &&
  !nestsStack(type) &&
  !isReplacedByEveryUpdate(type) &&
  type.schema.isReplacedByUpdate === undefined;

export const readsMetadata = (type: ResourceType | null): boolean =>
  type?.schema.readsMetadata !== undefined;

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
