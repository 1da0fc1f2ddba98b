/**
 * Describes a foreseen change of a resource to a reader: what changes, why, and what it interrupts.
 */

import { isUnfit, type ReplacementCause } from "#lib/convergence/decide.ts";
import type { ForeseenRemoval, ForeseenUpdate } from "#lib/convergence/preview/foresee.ts";
import { type Json, type JsonObject, jsonEquals } from "#lib/json.ts";
import type { OperationAction } from "#lib/model/action.ts";
import { healthOf, type Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { loadTemplate } from "#lib/stack/record/template-record.ts";
import { nestsStack, readsMetadata, updateMendsDrift } from "#lib/stack/type-predicates.ts";
import { changedProperties, storedUnderNewNames } from "#lib/template/check/properties.ts";
import { secretProperties } from "#lib/template/functions/hidden-references.ts";
import { member } from "#lib/template/json-shape.ts";
import type { Template } from "#lib/template/template.ts";

export const MASKED = "******";

export interface PropertyChange {
  readonly name: string;
  readonly before: Json;
  readonly after: Json;
  /** Only the update can determine the new value. Then `after` is null. */
  readonly isUnknown: boolean;
}

export interface ForeseenOperation {
  readonly action: OperationAction;
  readonly fate: "interrupted" | "awaited" | "ended for the delete";
}

export interface ForeseenChange {
  readonly properties: readonly PropertyChange[];
  /** What the properties do not explain: why the resource is replaced, updated or fails. */
  readonly reason: string | null;
  readonly operation: ForeseenOperation | null;
  /**
   * "reached": visited because of others, or because of its nested stack, in which nothing changes.
   * "none": not visited (P24).
   */
  readonly visit: "changed" | "reached" | "none";
  readonly keepsObject: boolean;
}

export const NOT_VISITED: ForeseenChange = {
  properties: [],
  reason: null,
  operation: null,
  visit: "none",
  keepsObject: false,
};

export const GONE_WITH_ITS_STACK: ForeseenChange = { ...NOT_VISITED, visit: "changed" };

const operationOf = (
  row: Resource | null,
  fate: ForeseenOperation["fate"] | null,
): ForeseenOperation | null =>
  row?.operation == null || fate === null ? null : { action: row.operation.action, fate };

export const removalChange = ({ row, fate, decision }: ForeseenRemoval): ForeseenChange => ({
  ...NOT_VISITED,
  reason: decision.kind === "refuse" || decision.kind === "drop" ? (decision.reason ?? null) : null,
  operation: operationOf(row, fate),
  visit: "changed",
  keepsObject: decision.kind === "drop" && row.physicalResourceId !== null,
});

export const NOTHING_INSIDE = "nothing changes in it";

export const updateChange = async (
  ports: Ports,
  update: ForeseenUpdate,
  template: Template,
  type: ResourceType | null,
  inside: string | null,
): Promise<ForeseenChange> => {
  const properties = await propertyChanges(ports, update, template, type);
  const isUnchanged = properties.length === 0;
  const reason = reasonOf(update, type, inside, isUnchanged);
  const isQuiet = reason === NOTHING_INSIDE && isUnchanged;
  return {
    properties,
    reason: reason === NOTHING_INSIDE ? null : reason,
    operation: operationOf(update.row, update.fate),
    visit: update.decision.kind === "keep" || isQuiet ? "reached" : "changed",
    keepsObject: false,
  };
};

const beforeOf = ({ before }: ForeseenUpdate, type: ResourceType | null): JsonObject =>
  before === null ? {} : type === null ? before : storedUnderNewNames(type.schema, before);

const propertyChanges = async (
  ports: Ports,
  update: ForeseenUpdate,
  template: Template,
  type: ResourceType | null,
): Promise<readonly PropertyChange[]> => {
  const { after, name, unknown } = update;
  if (after === null) return [];
  const before = beforeOf(update, type);
  const now = template.resources.get(name)?.properties ?? {};
  const secretNow = secretProperties(template, now);
  const secretBefore = await formerSecrets(ports, update);
  const shown = (value: Json | undefined, isSecret: boolean): Json =>
    value === undefined || value === null ? null : isSecret ? MASKED : value;
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key): PropertyChange[] => {
    const [old, next] = [member(before, key), member(after, key)];
    if (jsonEquals(old ?? null, next ?? null)) return [];
    const isUnknown = unknown.has(key);
    const isUnsure = secretBefore === "all";
    // A value that replaces a secret is mostly a secret too.
    const isSecretNow = secretNow.has(key) || (!isUnsure && secretBefore.has(key));
    const isSecretBefore = isUnsure || isSecretNow;
    return [
      {
        name: key,
        before: shown(old, isSecretBefore),
        after: isUnknown ? null : shown(next, isSecretNow),
        isUnknown,
      },
    ];
  });
};

/** The row's values may come from a secret of an older template. */
const formerSecrets = async (
  ports: Ports,
  { found, name }: ForeseenUpdate,
): Promise<ReadonlySet<string> | "all"> => {
  if (found === null) return new Set();
  if (found.templateId === null) return "all";
  const { template } = await loadTemplate(ports, found.tenant, found.stackId, found.templateId);
  const definition = template.resources.get(name);
  return definition === undefined ? "all" : secretProperties(template, definition.properties);
};

const reasonOf = (
  update: ForeseenUpdate,
  type: ResourceType | null,
  inside: string | null,
  isUnchanged: boolean,
): string | null => {
  const { decision, found, problem } = update;
  if (decision.kind === "refuse") return `it fails: ${decision.reason}`;
  if (problem !== null && decision.kind === "act") return `it fails: ${problem}`;
  if (decision.kind === "replace") return replacementReason(decision.why, update, type);
  if (found === null) return null;
  const { state, what } = healthOf(found);
  if (decision.kind === "step") {
    const isStart = decision.action === "RESUME";
    return isStart ? `it is started: ${what}` : `it is looked at first${of(what)}`;
  }
  if (decision.kind !== "act") return null;
  if (state !== "as made" && !isUnfit(found) && !nestsStack(type)) return `it is repaired: ${what}`;
  if (found.status === "FAILED") {
    const isTold = inside !== null && inside !== NOTHING_INSIDE;
    return `its ${found.action} ${endOf(update)}${isTold ? `; ${inside}` : ""}`;
  }
  if (nestsStack(type)) return inside ?? "only the update can tell what changes in it";
  if (decision.action !== "UPDATE") return null;
  const isBroughtBack = isUnchanged && updateMendsDrift(type) && !readsMetadata(type);
  if (isBroughtBack) return "it is brought back to its properties, whatever it has";
  const may = type?.lifecycle.updateMayReplace;
  const mayReplace = may === true || (may === "unknown" && update.unknown.size > 0);
  if (mayReplace) return "its type decides whether it is replaced instead";
  if (!isUnchanged || !readsMetadata(type)) return null;
  return "its metadata has changed, or has calls that are resolved again";
};

const of = (what: string): string => (what === "" ? "" : `, because the last look failed: ${what}`);

const endOf = ({ fate }: ForeseenUpdate): string =>
  fate === "interrupted" ? "is interrupted" : "has failed";

const replacementReason = (
  why: ReplacementCause,
  update: ForeseenUpdate,
  type: ResourceType | null,
): string => {
  switch (why) {
    case "other type":
      return `another type than ${update.found?.type ?? "before"}`;
    case "deleted":
      return "it is deleted";
    case "failed":
      return `its ${update.found?.action ?? "operation"} ${endOf(update)}`;
    case "every update":
      return "every update replaces this type";
    case "property":
      return propertyReason(update, type);
    case "health":
      return healthReason(update);
  }
};

/** A reader must know beforehand whether an object is deleted for it. */
const healthReason = ({ found }: ForeseenUpdate): string => {
  if (found === null) return "it must be made anew";
  const { state, what } = healthOf(found);
  if (state === "gone") return `its object is gone: ${what}`;
  return `no update in place brings it back, so this object is deleted: ${what}`;
};

const propertyReason = (update: ForeseenUpdate, type: ResourceType | null): string => {
  const before = beforeOf(update, type);
  const schemas = type?.schema.properties ?? "any";
  const { changed } = changedProperties(schemas, before, update.after ?? {});
  const fixed =
    schemas === "any" ? [] : changed.filter((key) => schemas[key]?.updateAllowed !== true);
  const named = (fixed.length > 0 ? fixed : changed).join(", ");
  return named === "" ? "the type's own rule" : `${named} cannot change in place`;
};
