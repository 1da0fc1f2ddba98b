/**
 * P3.1a: what a visit has to do, as a pure function of what it has read. The action of the
 * traversal decides first, never the template alone. The traces in docs/convergence-reference.md
 * show why. The truth tables are decide-update.test.ts and decide-cleanup.test.ts.
 */
import type { JsonObject } from "#lib/json.ts";
import type { OperationAction, StackAction } from "#lib/model/action.ts";
import type { RestrictedAction } from "#lib/model/hook.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import {
  isRepairable,
  isReplacedByEveryUpdate,
  nestsStack,
  updateMendsDrift,
} from "#lib/stack/type-predicates.ts";
import { placeIn } from "#lib/template/format.ts";
import { changedProperties } from "#lib/template/properties.ts";
import { storedUnderNewNames } from "#lib/template/stored-properties.ts";

/** Why a row is replaced. A preview tells it; nothing else depends on it. */
export type ReplacementCause =
  /** The target names another type. */
  | "other type"
  /** The row is being deleted, or was. */
  | "deleted"
  /** Its last operation failed, and the type cannot be repaired in place. */
  | "failed"
  /** Every update replaces the type, whatever changes. */
  | "every update"
  /** A property that the type cannot change in place, or the type's own rule. */
  | "property";

export type Decision =
  /** Nothing to do, and no mark to write. */
  | { readonly kind: "pass" }
  /** No difference: only the row's template, requires and mark are written. */
  | { readonly kind: "keep" }
  /** The row ends without a call: it was never created, or its object stays. */
  | { readonly kind: "drop"; readonly reason?: string }
  | { readonly kind: "replace"; readonly why: ReplacementCause }
  /**
   * The environment forbids the change, or a user must answer first: the node fails, and the row
   * stays as it is.
   */
  | { readonly kind: "refuse"; readonly reason: string }
  /** CHECK finds nothing in service. That is a result, not a failure. */
  | { readonly kind: "missing" }
  | { readonly kind: "act"; readonly action: OperationAction };

const PASS: Decision = { kind: "pass" };
const KEEP: Decision = { kind: "keep" };
const replace = (why: ReplacementCause): Decision => ({ kind: "replace", why });
const act = (action: OperationAction): Decision => ({ kind: "act", action });

/** The facts of a row that a decision depends on. */
export type DecidedRow = Pick<
  Resource,
  | "name"
  | "action"
  | "status"
  | "statusReason"
  | "templateId"
  | "type"
  | "updateDone"
  | "outcomeUnknown"
  | "externalId"
>;

export interface UpdateSituation {
  readonly stackAction: StackAction;
  readonly row: DecidedRow | null;
  /**
   * The row has the type that the target asks for. Nested stacks of any template are of one type.
   */
  readonly isOfType: boolean;
  readonly type: ResourceType | null;
  /** The properties of the row's last success. */
  readonly before: JsonObject | null;
  /** Resolved for the target. Null: they cannot be resolved, so the operation fails. */
  readonly after: JsonObject | null;
  /** The type reads its metadata section, and that is different or may be. */
  readonly hasOtherMetadata: boolean;
  /** A predecessor failed its CHECK. */
  readonly checkFailed: boolean;
  /** The object that the target names by `external_id`. Null: the stack makes its own. */
  readonly externalId: string | null;
  /** The user asks to mend what has changed behind the stack's back. */
  readonly mendsDrift: boolean;
}

export const decideUpdate = (situation: UpdateSituation): Decision => {
  const { stackAction, row, type } = situation;
  switch (stackAction) {
    case "SUSPEND":
    case "DELETE":
      return PASS;
    case "CHECK":
      if (situation.checkFailed) return PASS;
      return row === null || isUnfit(row) ? { kind: "missing" } : act("CHECK");
    case "RESUME":
    case "SNAPSHOT": {
      const nests = nestsStack(type);
      return row === null || isUnfit(row) || hasFailedCheck(row, nests) ? PASS : act(stackAction);
    }
    default:
      return decideConverging(situation);
  }
};

/** CREATE, ADOPT, UPDATE, RESTORE and ROLLBACK bring the row to its target. */
const decideConverging = (situation: UpdateSituation): Decision => {
  const { stackAction, row, type, after } = situation;
  const { externalId } = situation;
  if (row === null || row.action === "INIT") {
    return act(stackAction === "ADOPT" || externalId !== null ? "ADOPT" : "CREATE");
  }
  // P18: another row would hide the question, and the object of the lost call with it.
  if (row.outcomeUnknown) return { kind: "refuse", reason: row.statusReason };
  if (!situation.isOfType) return replace("other type");
  if (row.action === "DELETE") return replace("deleted");
  if (row.externalId !== null || externalId !== null) return decideExternal(row, externalId);
  if (isReplacedByEveryUpdate(type)) return replace("every update");
  const hasFailed = row.status === "FAILED";
  if (hasFailed && !isRepairable(type, row)) return replace("failed");
  const difference = compareProperties(situation);
  if (difference === "replaces") return replace("property");
  if (typeof difference === "object") return { kind: "refuse", reason: difference.refused(row) };
  if (hasFailed) return act(row.templateId === null ? "CREATE" : "UPDATE");
  // Properties that cannot be resolved must fail the resource, and only an operation can fail.
  const mends = situation.mendsDrift && updateMendsDrift(type);
  const needsUpdate = difference === "changed" || after === null || nestsStack(type) || mends;
  return needsUpdate || situation.hasOtherMetadata ? act("UPDATE") : KEEP;
};

/**
 * P19: the object is the user's, so it is looked at and never changed. As in Heat, an update cannot
 * turn a resource in service into another object.
 */
const decideExternal = (row: DecidedRow, externalId: string | null): Decision => {
  const hasFailed = row.status === "FAILED";
  if (row.externalId === externalId) return hasFailed ? act("ADOPT") : KEEP;
  return hasFailed ? replace("failed") : { kind: "refuse", reason: otherObject(row) };
};

const otherObject = ({ name, type }: DecidedRow): string =>
  `NotSupported: ${placeIn("resources", name)}: Update to property external_id of ${name} (${type}) is not supported.`;

/** Heat's NotSupported for properties that can never be changed. */
const otherImmutable =
  (properties: readonly string[], { type }: ResourceType) =>
  ({ name }: DecidedRow): string =>
    `NotSupported: ${placeIn("resources", name)}: Update to properties ${properties.join(", ")} of ${name} (${type}) is not supported.`;

type Difference =
  | "same"
  | "changed"
  | "replaces"
  | { readonly refused: (row: DecidedRow) => string };

const compareProperties = ({ type, before: stored, after }: UpdateSituation): Difference => {
  if (type === null || stored === null || after === null) return "same";
  const before = storedUnderNewNames(type.schema, stored);
  const { changed, immutable, replaces } = changedProperties(type.schema.properties, before, after);
  if (immutable.length > 0) return { refused: otherImmutable(immutable, type) };
  if (replaces) return "replaces";
  if (type.schema.isReplacedByUpdate?.(after)) return "replaces";
  if (changed.length === 0) return "same";
  return type.schema.mustReplace?.(before, after, changed) ? "replaces" : "changed";
};

/**
 * The row is not in service: its last create, update or delete failed or has not run. CHECK,
 * SUSPEND and RESUME must leave it alone. Their COMPLETE would hide a failure that the next update
 * repairs.
 */
export const isUnfit = (row: Pick<Resource, "action" | "status">): boolean =>
  row.action === "INIT" ||
  row.action === "DELETE" ||
  (row.status === "FAILED" &&
    (row.action === "CREATE" || row.action === "UPDATE" || row.action === "ADOPT"));

/**
 * Suspending or resuming such a row would hide the finding of its CHECK. The next update replaces
 * it. A nested stack is never replaced, and the rows in it have their own findings. So it is
 * suspended and resumed: if it stayed suspended, it could never be updated again.
 */
const hasFailedCheck = (row: DecidedRow, nests: boolean): boolean =>
  !nests && row.status === "FAILED" && row.action === "CHECK";

/** Heat's restricted_actions. They apply to rows that exist. */
export const underRestrictions = (
  decision: Decision,
  name: string,
  restricted: ReadonlySet<RestrictedAction>,
): Decision => {
  const isUpdate = decision.kind === "act" && decision.action === "UPDATE";
  const change = isUpdate ? "update" : decision.kind === "replace" ? "replace" : null;
  if (change === null || !restricted.has(change)) return decision;
  const place = placeIn("resources", name);
  const reason = `ResourceActionRestricted: ${place}: ${change} is restricted for resource.`;
  return { kind: "refuse", reason };
};

export interface CleanupSituation {
  readonly stackAction: StackAction;
  readonly traversalId: string;
  readonly row: DecidedRow | null;
  /** The graph has an update node for this very row. */
  readonly isChosen: boolean;
  /** The row's object is a nested stack. */
  readonly nests: boolean;
  /** The object must stay. */
  readonly retains: boolean;
}

export const decideCleanup = (situation: CleanupSituation): Decision => {
  const { stackAction, row } = situation;
  if (row === null || (row.action === "DELETE" && row.status === "COMPLETE")) return PASS;
  if (stackAction === "CHECK" || stackAction === "RESUME" || stackAction === "SNAPSHOT")
    return PASS;
  if (stackAction === "SUSPEND") {
    return !situation.isChosen || isUnfit(row) || hasFailedCheck(row, situation.nests)
      ? PASS
      : act("SUSPEND");
  }
  const inService = row.updateDone === situation.traversalId;
  if (stackAction !== "DELETE" && inService) return PASS;
  // No type means that no provider was called: the row's first visit became a dead letter.
  if (row.action === "INIT" || row.type === "" || situation.retains) return { kind: "drop" };
  // P19: the object is the user's.
  if (row.externalId !== null) return { kind: "drop" };
  if (row.outcomeUnknown) return { kind: "refuse", reason: row.statusReason };
  return act("DELETE");
};
