/** The properties of a resource against the schemas of its type. */
import { type Json, type JsonObject, jsonEquals } from "#lib/json.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import { coerceMember, refuseUnknown } from "./coerce.ts";
import { hideValue, showValue } from "./constraints.ts";
import { member } from "./json-shape.ts";

export interface CoercionOptions {
  /** Properties whose values are not known yet: they are left out and not missed. */
  readonly deferred?: ReadonlySet<string>;
  /** Properties whose values may be secrets: no error shows them. */
  readonly secret?: ReadonlySet<string>;
}

/**
 * The values that a plugin gets: of the schemas' types, with defaults, without what is absent or null.
 * Throws Heat's StackValidationFailed (`Property error: <place>.<key>: …`) for the first that is wrong.
 */
export const coerceProperties = (
  schemas: PropertySchemas | "any",
  given: JsonObject,
  place: string,
  options: CoercionOptions = {},
): JsonObject => {
  if (schemas === "any") {
    return Object.fromEntries(
      Object.entries(given).filter(([key, value]) => value !== null && !options.deferred?.has(key)),
    );
  }
  refuseUnknown(schemas, given, place);
  const entries = Object.entries(schemas).flatMap(([key, schema]) => {
    if (options.deferred?.has(key)) return [];
    const show = options.secret?.has(key) ? hideValue : showValue;
    const value = coerceMember(schema, given, key, { place, show });
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(entries);
};

/** What an update changes, and whether some change cannot be made in place. Both sides are coerced values. */
export const changedProperties = (
  schemas: PropertySchemas | "any",
  before: JsonObject,
  after: JsonObject,
): { changed: string[]; replaces: boolean } => {
  const value = (properties: JsonObject, key: string): Json => member(properties, key) ?? null;
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...keys].filter((key) => !jsonEquals(value(before, key), value(after, key)));
  if (schemas === "any") return { changed, replaces: false };
  const inPlace = (key: string): boolean =>
    Object.hasOwn(schemas, key) && schemas[key]?.updateAllowed === true;
  return { changed, replaces: !changed.every(inPlace) };
};
