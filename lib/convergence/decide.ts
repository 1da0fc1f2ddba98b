/**
 * Decides what a visit has to do, from what it has read (P3.1a). The traversal's action decides
 * first, never the template alone: docs/rules/p03-visit.md shows why (P3).
 */
import { type JsonObject, jsonEquals } from "#lib/json.ts";
import type { OperationAction, StackAction } from "#lib/model/action.ts";
import {
  type HealthState,
  healthOf,
  type Resource,
  type RestrictedAction,
} from "#lib/model/resource.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import {
  canLook,
  canStart,
  isAlwaysMended,
  isRepairable,
  isReplacedByEveryUpdate,
  nestsStack,
  updateMendsDrift,
} from "#lib/stack/type-predicates.ts";
import { changedProperties, storedUnderNewNames } from "#lib/template/check/properties.ts";
import { placeIn } from "#lib/template/format.ts";
import { isEmpty, member } from "#lib/template/json-shape.ts";

export type ReplacementCause =
  | "other type"
  | "deleted"
  | "failed"
  | "every update"
  /** A property changed that the type cannot change in place, or the type has a rule of its own. */
  | "property"
  /** The last look found something that no update in place could bring back (P27). */
  | "health";

export type Decision =
  /** Nothing to do, and no mark to write. */
  | { readonly kind: "pass" }
  /** Nothing differs: only the row's template, requires and mark are written. */
  | { readonly kind: "keep" }
  /** The row ends without a call: it was never created, or its object stays. */
  | { readonly kind: "drop"; readonly reason?: string }
  | { readonly kind: "replace"; readonly why: ReplacementCause }
  /** The environment forbids the change, or a user must answer first. The row stays as it is. */
  | { readonly kind: "refuse"; readonly reason: string }
  | { readonly kind: "missing" }
  | { readonly kind: "act"; readonly action: OperationAction }
  | { readonly kind: "step"; readonly action: "CHECK" | "RESUME" };

export type UpdateDecision = Exclude<Decision, { kind: "drop" }>;
export type CleanupDecision = Extract<Decision, { kind: "pass" | "drop" | "refuse" | "act" }>;

const PASS = { kind: "pass" } as const;
const KEEP: UpdateDecision = { kind: "keep" };
const replace = (why: ReplacementCause): UpdateDecision => ({ kind: "replace", why });
const act = (action: OperationAction) => ({ kind: "act", action }) as const;
const step = (action: "CHECK" | "RESUME"): UpdateDecision => ({ kind: "step", action });

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
  | "checkFailed"
  | "health"
>;

export interface UpdateSituation {
  readonly stackAction: StackAction;
  readonly traversalId: string;
  readonly row: DecidedRow | null;
  readonly isOfType: boolean;
  readonly type: ResourceType | null;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  readonly hasOtherMetadata: boolean;
  readonly checkFailed: boolean;
  readonly externalId: string | null;
  /** Heat's `converge`: the user asks to mend what has changed outside of the stack. */
  readonly mendsDrift: boolean;
}

export const decideUpdate = (situation: UpdateSituation): UpdateDecision => {
  const { stackAction, row, type } = situation;
  switch (stackAction) {
    case "SUSPEND":
    case "DELETE":
      return PASS;
    case "CHECK":
      if (situation.checkFailed) return PASS;
      return row === null || isUnfit(row) ? { kind: "missing" } : act("CHECK");
    case "RESUME":
    case "SNAPSHOT":
      return row === null || isOutOfReach(row, nestsStack(type)) ? PASS : act(stackAction);
    default:
      return decideConverging(situation);
  }
};

/** CREATE, ADOPT, UPDATE, RESTORE and ROLLBACK bring the row to its target. */
const decideConverging = (situation: UpdateSituation): UpdateDecision => {
  const { stackAction, row, type, after, externalId } = situation;
  if (row === null || row.action === "INIT") {
    return act(stackAction === "ADOPT" || externalId !== null ? "ADOPT" : "CREATE");
  }
  // A replacement would hide the open question, and the object of the lost creation with it (P18).
  if (row.outcomeUnknown) return { kind: "refuse", reason: row.statusReason };
  if (!situation.isOfType) return replace("other type");
  if (row.action === "DELETE") return replace("deleted");
  if (row.externalId !== null || externalId !== null) return decideExternal(row, externalId);
  if (isReplacedByEveryUpdate(type)) return replace("every update");
  // A failed CHECK is a finding about the object, not a change that has failed.
  const hasFailed = row.status === "FAILED" && row.action !== "CHECK";
  if (hasFailed && !isRepairable(type, row)) return replace("failed");
  const difference = compareProperties(situation);
  if (difference === "replaces") return replace("property");
  if (typeof difference === "object") return { kind: "refuse", reason: difference.refused(row) };
  const forHealth = isUnfit(row) ? null : decideForHealth(situation, row);
  if (forHealth !== null) return forHealth;
  if (hasFailed) return act(row.templateId === null ? "CREATE" : "UPDATE");
  // Properties that cannot be resolved must fail the resource, and only an operation can fail.
  const mends = situation.mendsDrift && updateMendsDrift(type);
  const needsUpdate = difference === "changed" || after === null || nestsStack(type) || mends;
  return needsUpdate || situation.hasOtherMetadata ? act("UPDATE") : KEEP;
};

type Remedy =
  | "mend"
  | "mend always"
  | "start"
  /** Another look, after which the node decides again. One traversal looks once. */
  | "look"
  | "replace"
  | "refuse";

/**
 * An update uses the first remedy that the type allows (P27). Nothing that could be repaired is
 * replaced, and nothing is replaced because a look has failed.
 */
const REMEDIES: Readonly<Record<HealthState, readonly Remedy[]>> = {
  "as made": [],
  differs: ["mend", "replace"],
  stopped: ["start", "mend", "replace"],
  gone: ["mend always", "replace"],
  "beyond repair": ["mend always", "replace"],
  unknown: ["mend", "look", "refuse"],
};

const decideForHealth = (situation: UpdateSituation, row: DecidedRow): UpdateDecision | null => {
  const { type, mendsDrift, traversalId } = situation;
  const { state, what, seenBy } = healthOf(row);
  const mayLook = seenBy !== traversalId;
  // An object that is off accepts no update, so an update that converges looks first. A look would
  // overwrite a mark by hand ("beyond repair").
  const mayBeOff = canLook(type) && canStart(type) && updateMendsDrift(type);
  const mustLook = mendsDrift && mayBeOff && mayLook && state !== "beyond repair";
  if (mustLook) return step("CHECK");
  const can: Readonly<Record<Remedy, boolean>> = {
    mend: updateMendsDrift(type) || isAlwaysMended(type),
    "mend always": isAlwaysMended(type),
    start: canStart(type) && !isAlwaysMended(type),
    look: mayLook,
    replace: true,
    refuse: true,
  };
  const remedy = REMEDIES[state].find((one) => can[one]);
  switch (remedy) {
    case undefined:
      return null;
    case "mend":
    case "mend always":
      return act("UPDATE");
    case "start":
      return step("RESUME");
    case "look":
      return step("CHECK");
    case "replace": {
      // This traversal itself found the damage, so no preview could warn of the delete. The node
      // fails with that warning, and the next update replaces the row.
      const isNews = seenBy === traversalId && state !== "gone";
      return isNews ? { kind: "refuse", reason: isNextDeleted(row, what) } : replace("health");
    }
    case "refuse":
      return { kind: "refuse", reason: cannotBeSeen(row, what) };
  }
};

const isNextDeleted = ({ name }: DecidedRow, what: string): string =>
  `Error: ${placeIn("resources", name)}: ${what}. No update in place brings it back: the next update deletes this object, and makes another.`;

const cannotBeSeen = ({ name }: DecidedRow, what: string): string =>
  `Error: ${placeIn("resources", name)}: nobody can tell what has become of its object, so it is neither changed nor replaced: ${what}. If another object is to take its place, mark it with \`hearth stack resource mark-unhealthy\`.`;

/**
 * The object belongs to the user (P19). As in Heat, an update cannot give a resource in service
 * another object.
 */
const decideExternal = (row: DecidedRow, externalId: string | null): UpdateDecision => {
  const hasFailed = row.status === "FAILED";
  if (row.externalId === externalId) return hasFailed ? act("ADOPT") : KEEP;
  return hasFailed ? replace("failed") : { kind: "refuse", reason: otherObject(row) };
};

const otherObject = ({ name, type }: DecidedRow): string =>
  `NotSupported: ${placeIn("resources", name)}: Update to property external_id of ${name} (${type}) is not supported.`;

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
 * The last create, update or delete failed or has not run. CHECK, SUSPEND and RESUME leave the row
 * alone, because their COMPLETE would hide a failure that the next update repairs.
 */
export const isUnfit = (row: Pick<Resource, "action" | "status">): boolean =>
  row.action === "INIT" ||
  row.action === "DELETE" ||
  (row.status === "FAILED" &&
    (row.action === "CREATE" || row.action === "UPDATE" || row.action === "ADOPT"));

/**
 * SUSPEND, RESUME and SNAPSHOT have nothing to act on. Other findings stay in the row's health, so
 * these actions hide nothing. The rows in a nested stack have healths of their own.
 */
export const isOutOfReach = (row: DecidedRow, nests: boolean): boolean =>
  isUnfit(row) || (!nests && healthOf(row).state === "gone");

/** Heat's restricted_actions, which apply to rows that exist. */
export const underRestrictions = (
  decision: UpdateDecision,
  name: string,
  restricted: ReadonlySet<RestrictedAction>,
): UpdateDecision => {
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
  readonly nests: boolean;
  readonly retains: boolean;
}

export const decideCleanup = (situation: CleanupSituation): CleanupDecision => {
  const { stackAction, row } = situation;
  if (row === null || (row.action === "DELETE" && row.status === "COMPLETE")) return PASS;
  if (stackAction === "CHECK" || stackAction === "RESUME" || stackAction === "SNAPSHOT")
    return PASS;
  if (stackAction === "SUSPEND") {
    return !situation.isChosen || isOutOfReach(row, situation.nests) ? PASS : act("SUSPEND");
  }
  const inService = row.updateDone === situation.traversalId;
  if (stackAction !== "DELETE" && inService) return PASS;
  // A row without a type has called no provider: its first visit became a dead letter.
  if (row.action === "INIT" || row.type === "" || situation.retains) return { kind: "drop" };
  if (row.externalId !== null) return { kind: "drop" };
  if (row.outcomeUnknown) return { kind: "refuse", reason: row.statusReason };
  return act("DELETE");
};

interface NamedObject {
  readonly row: (DecidedRow & Pick<Resource, "physicalResourceId">) | null;
  readonly type: ResourceType | null;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

type Held = Pick<ResourceType, "type" | "schema">;

const heldBy = (
  { schema: { uniqueBy = [] } }: Held,
  before: JsonObject,
  after: JsonObject,
): string | null => {
  const isHeld = uniqueBy.every((key) => {
    const name = member(after, key) ?? null;
    return !isEmpty(name) && jsonEquals(member(before, key) ?? null, name);
  });
  return uniqueBy.length > 0 && isHeld ? uniqueBy.join(" and ") : null;
};

const orTakeBack = ({ schema }: Held, before: JsonObject, after: JsonObject): string => {
  if (schema.properties === "any") return "";
  const { properties } = schema;
  const { changed } = changedProperties(properties, before, after);
  const fixed = changed.filter((key) => properties[key]?.updateAllowed !== true);
  const named = (fixed.length > 0 ? fixed : changed).join(", ");
  return named === "" ? "" : ` Or take back the change of ${named}.`;
};

export const whyNameIsHeld = (
  name: string,
  type: Held,
  before: JsonObject,
  after: JsonObject,
): string | null => {
  const held = heldBy(type, before, after);
  if (held === null) return null;
  const place = placeIn("resources", name);
  return `NotSupported: ${place}: another object must take the place of this one, and two cannot have the same ${held}. Nothing has been changed. Give it another ${held}.${orTakeBack(type, before, after)} If this object is gone, a check of the stack must find that first.`;
};

const isThere = (row: NamedObject["row"], why: ReplacementCause): boolean => {
  if (row === null || row.physicalResourceId === null || healthOf(row).state === "gone") {
    return false;
  }
  // Only the provider knows what a failed creation has left.
  if (why === "failed") return row.templateId !== null;
  return why !== "other type" && why !== "deleted";
};

/**
 * A replacement is made before the old object goes (P9), so it cannot have a name that only one
 * object of the provider can have. As in CloudFormation, it is refused before any call.
 */
export const underHeldName = (decision: UpdateDecision, object: NamedObject): UpdateDecision => {
  const { row, type, before, after } = object;
  if (decision.kind !== "replace" || !isThere(row, decision.why)) return decision;
  if (row === null || type === null || before === null || after === null) return decision;
  const reason = whyNameIsHeld(row.name, type, before, after);
  return reason === null ? decision : { kind: "refuse", reason };
};
