import type { Json, JsonObject } from "#provider/provider.ts";
import { isList, isObject } from "#providers/values.ts";

const partsOf = (path: string): readonly string[] => path.split("/");

const memberOf = (value: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(value, name) ? value[name] : undefined;

const at = (value: Json | undefined, [part, ...rest]: readonly string[]): Json | undefined => {
  if (part === undefined) return value;
  if (part === "*") return isList(value) ? value.map((item) => at(item, rest) ?? null) : undefined;
  return isObject(value) ? at(memberOf(value, part), rest) : undefined;
};

export const valueAt = (value: JsonObject, path: string): Json | undefined =>
  at(value, partsOf(path));

const without = (value: Json, [part, ...rest]: readonly string[]): Json => {
  if (part === undefined) return value;
  if (part === "*") return isList(value) ? value.map((item) => without(item, rest)) : value;
  if (!isObject(value)) return value;
  const inner = memberOf(value, part);
  if (inner === undefined) return value;
  const { [part]: _, ...others } = value;
  return rest.length === 0 ? others : { ...others, [part]: without(inner, rest) };
};

export const withoutPaths = (value: JsonObject, paths: readonly string[]): JsonObject => {
  const left = paths.reduce<Json>((found, path) => without(found, partsOf(path)), value);
  return isObject(left) ? left : {};
};

/** As in Heat, null means that the template does not give the property. */
export const withoutNulls = (value: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [name, cleaned(member)] as const),
  );

const cleaned = (value: Json): Json => {
  if (isList(value)) return value.map(cleaned);
  return isObject(value) ? withoutNulls(value) : value;
};

export const isSameValue = (one: Json | undefined, other: Json | undefined): boolean => {
  if (isList(one) && isList(other)) {
    return one.length === other.length && one.every((item, at) => isSameValue(item, other[at]));
  }
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => isSameValue(memberOf(one, name), memberOf(other, name)));
};
