/** Hooks and restricted actions of named resources, from `resource_registry.resources`. */
import { RequestError } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { HOOKS, type Hook, RESTRICTED_ACTIONS, type RestrictedAction } from "#lib/model/hook.ts";
import { fitsGlob, isGlob } from "./glob.ts";
import { isJsonArray } from "./json-shape.ts";
import { pythonText } from "./python-text.ts";

/** Null: there is no such hook. */
export const hookNamed = (name: Json | undefined): Hook | null =>
  HOOKS.find((hook) => hook === name) ?? null;

const restrictionNamed = (name: Json): RestrictedAction | null =>
  RESTRICTED_ACTIONS.find((action) => action === name) ?? null;

/** The value is one word or a list of words. */
const wordsOf = (value: Json): readonly Json[] => (isJsonArray(value) ? value : [value]);

const tuple = (words: readonly string[]): string =>
  `(${words.map((word) => `'${word}'`).join(", ")})`;

const checkHooks = (value: Json): void => {
  if (wordsOf(value).every((word) => hookNamed(word) !== null)) return;
  throw new RequestError(
    "InvalidBreakPointHook",
    400,
    `Invalid hook type "${pythonText(value)}" for resource breakpoint, acceptable hook types are: ${tuple(HOOKS)}`,
  );
};

const checkRestrictedActions = (value: Json): void => {
  if (wordsOf(value).every((word) => restrictionNamed(word) !== null)) return;
  throw new RequestError(
    "InvalidRestrictedAction",
    400,
    `Invalid restricted_action type "${pythonText(value)}" for resource, acceptable restricted_action types are: ${tuple(RESTRICTED_ACTIONS)}`,
  );
};

/** Whether the key is one of the two. Throws Heat's text for an unknown word. */
export const checkResourceEntry = (key: string, value: Json): boolean => {
  if (key === "hooks") checkHooks(value);
  else if (key === "restricted_actions") checkRestrictedActions(value);
  else return false;
  return true;
};

/** The entries with words, by their names. Patterns are asked one by one. */
interface WordIndex {
  readonly named: ReadonlyMap<string, JsonObject>;
  readonly patterns: readonly (readonly [pattern: string, entry: JsonObject])[];
}

const indexes = new WeakMap<JsonObject, WordIndex>();

/** A client decides how many entries there are, and each resource is looked up. */
const indexOf = (resources: JsonObject): WordIndex => {
  const known = indexes.get(resources);
  if (known !== undefined) return known;
  const entries = Object.entries(resources).flatMap(([pattern, entry]) =>
    isJsonObject(entry) && ("hooks" in entry || "restricted_actions" in entry)
      ? [[pattern, entry] as const]
      : [],
  );
  const index = {
    named: new Map(entries.filter(([pattern]) => !isGlob(pattern))),
    patterns: entries.filter(([pattern]) => isGlob(pattern)),
  };
  indexes.set(resources, index);
  return index;
};

/** The words under `key` in all entries whose pattern matches the name. */
const wordsFor = (registry: JsonObject, name: string, key: string): readonly Json[] => {
  const { resources } = registry;
  if (!isJsonObject(resources)) return [];
  const { named, patterns } = indexOf(resources);
  const matching = patterns.flatMap(([pattern, entry]) => (fitsGlob(pattern, name) ? [entry] : []));
  return [named.get(name) ?? [], ...matching].flat().flatMap((entry) => {
    const value = entry[key];
    return value === undefined ? [] : wordsOf(value);
  });
};

/** The hooks at which the named resource stops. */
export const hooksOf = (registry: JsonObject, name: string): ReadonlySet<Hook> =>
  new Set(wordsFor(registry, name, "hooks").flatMap((word) => hookNamed(word) ?? []));

/** The actions that are forbidden for the named resource. */
export const restrictionsOf = (registry: JsonObject, name: string): ReadonlySet<RestrictedAction> =>
  new Set(
    wordsFor(registry, name, "restricted_actions").flatMap((word) => restrictionNamed(word) ?? []),
  );
