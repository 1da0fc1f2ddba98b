/** What an update changes, and which changes make another object. */
import type { Call, JsonObject } from "#provider/provider.ts";

/** Since the last success. */
export const isChanged = (
  { properties, previousProperties }: Pick<Call, "properties" | "previousProperties">,
  name: string,
): boolean =>
  JSON.stringify(properties[name] ?? null) !== JSON.stringify(previousProperties?.[name] ?? null);

/** Whether the object may have something else. After a failed change that is so of everything. */
export const mayDiffer = (
  call: Pick<Call, "properties" | "previousProperties" | "repairs">,
  name: string,
): boolean => call.repairs === true || isChanged(call, name);

/**
 * Whether a change needs another object. A preview asks too, so nothing but the properties counts.
 * In a preview, a list of what only the update can tell holds a text.
 */
export type Replaces = (before: JsonObject, after: JsonObject) => boolean;

export const replacedBy =
  (...names: readonly string[]): Replaces =>
  (previousProperties, properties) =>
    names.some((name) => isChanged({ properties, previousProperties }, name));

/** Each change is made in place. */
export const NEVER_REPLACED: Replaces = () => false;
