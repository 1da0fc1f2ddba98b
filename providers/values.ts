/** A value of another type than the one asked for counts as empty. */
import type { Json, JsonObject } from "#provider/provider.ts";

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

export const listOf = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);

export const objectsOf = (value: Json | undefined): readonly JsonObject[] =>
  listOf(value).filter(isObject);

/** Metadata as texts, which a cloud accepts: other values become JSON. */
export const textsOf = (value: Json | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).map(([key, member]) => [
      key,
      typeof member === "string" ? member : JSON.stringify(member),
    ]),
  );

export const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** A cloud may return a policy that the template gives as a map as its JSON text. */
const asValue = (live: Json | undefined, asked: Json): Json | undefined => {
  if (typeof live !== "string" || !(isObject(asked) || isList(asked))) return live;
  try {
    const value: Json = JSON.parse(live);
    return value;
  } catch {
    return live;
  }
};

/** Compares an object with its template. A cloud adds defaults and may reorder lists. */
const hasMembers = (asked: Json, live: Json, same: typeof hasAll): boolean =>
  isObject(asked) &&
  isObject(live) &&
  Object.entries(asked).every(([name, value]) =>
    same(value, Object.hasOwn(live, name) ? live[name] : undefined),
  );

const scalarsAreSame = (asked: Json, live: Json): boolean =>
  asked === live || (typeof asked !== "object" && String(asked) === String(live));

const hasItems = (asked: readonly Json[], live: readonly Json[]): boolean => {
  const left = [...live];
  return (
    asked.length === live.length &&
    asked.every((item) => {
      const found = left.findIndex((other) => hasAll(item, other));
      if (found >= 0) left.splice(found, 1);
      return found >= 0;
    })
  );
};

/** Ignores the order of lists. */
export const hasAll = (asked: Json, given: Json | undefined): boolean => {
  const live = asValue(given, asked);
  if (live === undefined) return false;
  if (isList(asked)) return isList(live) && hasItems(asked, live);
  return isObject(asked) ? hasMembers(asked, live, hasAll) : scalarsAreSame(asked, live);
};

/** Lists must have the same order. */
export const isSame = (asked: Json, given: Json | undefined): boolean => {
  const live = asValue(given, asked);
  if (live === undefined) return false;
  if (isList(asked)) {
    if (!isList(live) || live.length !== asked.length) return false;
    return asked.every((item, index) => isSame(item, live[index]));
  }
  return isObject(asked) ? hasMembers(asked, live, isSame) : scalarsAreSame(asked, live);
};
