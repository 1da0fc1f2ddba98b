/** The properties of a resource against the schemas of its type. */
import { type Json, type JsonObject, jsonEquals } from "#lib/json.ts";
import { mapOf } from "#lib/json-map.ts";
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import { coerceMember, refuseUnimplemented, refuseUnknown } from "./coerce.ts";
import { hideValue, showValue } from "./constraints.ts";
import type { CustomConstraints } from "./custom-constraint.ts";
import { member } from "./json-shape.ts";

export interface CoercionOptions {
  /** Values that nobody validates, such as those that wait. Only their types count. */
  readonly unchecked?: ReadonlySet<string>;
  /** Properties without a known value. They are left out, even if required. */
  readonly deferred?: ReadonlySet<string>;
  /** Properties whose values may be secrets. No error shows them. */
  readonly secret?: ReadonlySet<string>;
  /** Absent: the values are known to meet them, or are not to be refused. */
  readonly custom?: CustomConstraints | undefined;
}

/**
 * The values for a resource type: of the schemas' types, with defaults. As in Heat, a null is read
 * as an empty value. Throws its StackValidationFailed (`Property error: <place>.<key>: …`) for the
 * first wrong value.
 */
export const coerceProperties = (
  schemas: PropertySchemas | "any",
  given: JsonObject,
  place: string,
  options: CoercionOptions = {},
): JsonObject => {
  if (schemas === "any") {
    return mapOf(
      Object.entries(given).filter(([key, value]) => value !== null && !options.deferred?.has(key)),
    );
  }
  refuseUnknown(schemas, given, place);
  const entries = Object.entries(schemas).flatMap(([key, schema]): [string, Json][] => {
    if (options.deferred?.has(key)) return [];
    const show = options.secret?.has(key) ? hideValue : showValue;
    const unchecked = options.unchecked?.has(key) ? "property" : undefined;
    const at = { place, show, custom: options.custom, unchecked } as const;
    const value = coerceMember(schema, given, key, at);
    refuseUnimplemented(schema, given, key, place);
    return value === undefined ? [] : [[key, value]];
  });
  return mapOf(entries);
};

/**
 * What an update changes, what of it can never be changed, and whether the rest needs a replacement.
 * Both sides are coerced.
 */
export const changedProperties = (
  schemas: PropertySchemas | "any",
  before: JsonObject,
  after: JsonObject,
): { changed: string[]; immutable: string[]; replaces: boolean } => {
  const value = (properties: JsonObject, key: string): Json => member(properties, key) ?? null;
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...keys].filter((key) => !jsonEquals(value(before, key), value(after, key)));
  if (schemas === "any") return { changed, immutable: [], replaces: false };
  const schemaOf = (key: string): PropertySchema | undefined =>
    Object.hasOwn(schemas, key) ? schemas[key] : undefined;
  const immutable = changed.filter((key) => schemaOf(key)?.immutable).toSorted();
  const replaces = changed.some((key) => schemaOf(key)?.updateAllowed !== true);
  return { changed, immutable, replaces };
};
