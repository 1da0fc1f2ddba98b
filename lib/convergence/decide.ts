/**
 * P3.1a: what a visit has to do, as a pure function of what it has read. The action of the traversal
 * decides first, never the template alone; docs/convergence.md has the traces of why.
 */
import type { JsonObject } from "#lib/json.ts";
import type { OperationAction, StackAction } from "#lib/model/action.ts";
import type { RestrictedAction } from "#lib/model/hook.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { isRepairable, isReplacedByEveryUpdate, nestsStack } from "#lib/stack/type-predicates.ts";
import { changedProperties } from "#lib/template/properties.ts";

export type Decision =
  /** Nothing to do, and no mark to write. */
  | { readonly decision: "pass" }
  /** No difference: only the row's template, requires and mark are written. */
  | { readonly decision: "keep" }
  /** The row goes without a call: it never came to be, or its policy is to retain. */
  | { readonly decision: "drop" }
  | { readonly decision: "replace" }
  /** The environment forbids what would have to be done: the node fails, the row stays as it is. */
  | { readonly decision: "refuse"; readonly reason: string }
  /** CHECK finds nothing in service to check: a result, not a failure. */
  | { readonly decision: "missing" }
  | { readonly decision: "act"; readonly action: OperationAction };

const PASS: Decision = { decision: "pass" };
const REPLACE: Decision = { decision: "replace" };
const act = (action: OperationAction): Decision => ({ decision: "act", action });

export interface UpdateSituation {
  readonly stackAction: StackAction;
  readonly row: Resource | null;
  /** The row is of the type that the target asks for; of stacks nested by a template, whatever that is. */
  readonly isOfType: boolean;
  readonly type: ResourceType | null;
  /** Of the row's last success. */
  readonly before: JsonObject | null;
  /** Resolved for the target; null if they cannot be resolved, which fails the resource where they are needed. */
  readonly after: JsonObject | null;
  /** Of a type that reads it: the metadata section says something else, or may, since only resolving would tell. */
  readonly hasOtherMetadata: boolean;
  /** A predecessor failed its CHECK. */
  readonly checkFailed: boolean;
}

/**
 * Not in service since its last create, update or delete. CHECK, SUSPEND and RESUME must leave that as
 * it is: their COMPLETE would hide a failure that the next update has to repair.
 */
export const isUnfit = (row: Resource): boolean =>
  row.action === "INIT" ||
  row.action === "DELETE" ||
  (row.status === "FAILED" &&
    (row.action === "CREATE" || row.action === "UPDATE" || row.action === "ADOPT"));

/**
 * It is not suspended and resumed: that would hide the check's result, and the next update replaces it. But a stack below is
 * not replaced, its rows say themselves what their checks have found, and suspended it could never be updated again.
 */
const hasFailedCheck = (row: Resource, nests: boolean): boolean =>
  !nests && row.status === "FAILED" && row.action === "CHECK";

export const decideUpdate = (situation: UpdateSituation): Decision => {
  const { stackAction, row, type, before, after } = situation;
  if (stackAction === "SUSPEND" || stackAction === "DELETE") return PASS;
  if (stackAction === "CHECK") {
    if (situation.checkFailed) return PASS;
    return row === null || isUnfit(row) ? { decision: "missing" } : act("CHECK");
  }
  if (stackAction === "RESUME" || stackAction === "SNAPSHOT") {
    const nests = nestsStack(type);
    return row === null || isUnfit(row) || hasFailedCheck(row, nests) ? PASS : act(stackAction);
  }
  if (row === null || row.action === "INIT") {
    return act(stackAction === "ADOPT" ? "ADOPT" : "CREATE");
  }
  if (!situation.isOfType || row.action === "DELETE") return REPLACE;
  const failed = row.status === "FAILED";
  if ((failed && !isRepairable(type)) || isReplacedByEveryUpdate(type)) return REPLACE;
  const difference =
    type === null || before === null || after === null
      ? { changed: [], replaces: false }
      : changedProperties(type.schema.properties, before, after);
  const { changed } = difference;
  if (difference.replaces) return REPLACE;
  if (before !== null && after !== null && changed.length > 0) {
    if (type?.schema.mustReplace?.(before, after, changed)) return REPLACE;
  }
  if (failed) return act(row.templateId === null ? "CREATE" : "UPDATE");
  // What cannot be resolved must fail, and only an operation can.
  const isNews = changed.length > 0 || after === null || nestsStack(type);
  return isNews || situation.hasOtherMetadata ? act("UPDATE") : { decision: "keep" };
};

/** Heat's restricted_actions: only what is there can be updated or replaced. */
export const underRestrictions = (
  decision: Decision,
  name: string,
  restricted: ReadonlySet<RestrictedAction>,
): Decision => {
  const isUpdate = decision.decision === "act" && decision.action === "UPDATE";
  const change = isUpdate ? "update" : decision.decision === "replace" ? "replace" : null;
  if (change === null || !restricted.has(change)) return decision;
  const reason = `ResourceActionRestricted: resources.${name}: ${change} is restricted for resource.`;
  return { decision: "refuse", reason };
};

export interface CleanupSituation {
  readonly stackAction: StackAction;
  readonly traversalId: string;
  readonly row: Resource | null;
  /** The graph has an UPDATE node for this very row. */
  readonly isChosen: boolean;
  /** The row's object is a stack of ours. */
  readonly nests: boolean;
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
  // Without a type no provider has ever heard of it: its first visit was given up.
  if (row.action === "INIT" || row.type === "" || situation.retains) return { decision: "drop" };
  return act("DELETE");
};
