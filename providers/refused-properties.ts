/**
 * Refuses properties that a provider cannot honour, with the reason, so that none is silently
 * ignored. Unknown values of a preview are empty, and an empty value asks for nothing.
 */
import type { Json, JsonObject } from "#provider/provider.ts";
import { isList, isObject, objectsOf } from "./values.ts";

export interface RefusedProperty {
  /** The path in the template, such as `networks[0].tag`. */
  readonly property: string;
  readonly why: string;
}

export type Refuse = (properties: JsonObject) => RefusedProperty | null;

const asksForNothing = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  value === false ||
  (isList(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

export type Empties = Readonly<Record<string, string>>;

export const refuseFilled = (
  properties: JsonObject,
  empties: Empties,
  place = "",
): RefusedProperty | null => {
  for (const [name, why] of Object.entries(empties)) {
    if (!asksForNothing(properties[name])) return { property: `${place}${name}`, why };
  }
  return null;
};

export const refuseFilledItems = (
  properties: JsonObject,
  list: string,
  empties: Empties,
): RefusedProperty | null => {
  for (const [at, item] of objectsOf(properties[list]).entries()) {
    const filled = refuseFilled(item, empties, `${list}[${at}].`);
    if (filled !== null) return filled;
  }
  return null;
};

export const refusedBy = (provider: string, { property, why }: RefusedProperty): string =>
  `${property} is not possible with ${provider}: ${why}`;
