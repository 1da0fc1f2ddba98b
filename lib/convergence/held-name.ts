/**
 * A replacement is made before the old object goes (P9), so it cannot have a name that only one
 * object of the provider can have. As in CloudFormation, it is refused before any call.
 */
import { type JsonObject, jsonEquals } from "#lib/json.ts";
import { healthOf } from "#lib/model/health.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { placeIn } from "#lib/template/format.ts";
import { isEmpty, member } from "#lib/template/json-shape.ts";
import { changedProperties } from "#lib/template/properties.ts";
import type { DecidedRow, ReplacementCause, UpdateDecision } from "./decide.ts";

export interface NamedObject {
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

export const underHeldName = (decision: UpdateDecision, object: NamedObject): UpdateDecision => {
  const { row, type, before, after } = object;
  if (decision.kind !== "replace" || !isThere(row, decision.why)) return decision;
  if (row === null || type === null || before === null || after === null) return decision;
  const reason = whyNameIsHeld(row.name, type, before, after);
  return reason === null ? decision : { kind: "refuse", reason };
};
