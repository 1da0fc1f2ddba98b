import type { Call, JsonObject } from "#provider/provider.ts";

export const isChanged = (
  { properties, previousProperties }: Pick<Call, "properties" | "previousProperties">,
  name: string,
): boolean =>
  JSON.stringify(properties[name] ?? null) !== JSON.stringify(previousProperties?.[name] ?? null);

export const mayDiffer = (
  call: Pick<Call, "properties" | "previousProperties" | "repairs">,
  name: string,
): boolean => call.repairs === true || isChanged(call, name);

/**
 * Whether a change needs another object. Previews call this too, so it may use only the properties.
 * In a preview a list that only the update can resolve contains a text.
 */
export type Replaces = (before: JsonObject, after: JsonObject) => boolean;

export const replacedBy =
  (...names: readonly string[]): Replaces =>
  (previousProperties, properties) =>
    names.some((name) => isChanged({ properties, previousProperties }, name));

export const NEVER_REPLACED: Replaces = () => false;
