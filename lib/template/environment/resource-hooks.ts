import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import {
  HOOKS,
  type Hook,
  RESTRICTED_ACTIONS,
  type RestrictedAction,
} from "#lib/model/resource.ts";
import { refusal } from "../faults.ts";
import { isJsonArray } from "../json-shape.ts";
import { pythonText } from "../python-text.ts";
import { fitsGlob, isGlob } from "./glob.ts";

export const hookNamed = (name: Json | undefined): Hook | null =>
  HOOKS.find((hook) => hook === name) ?? null;

const restrictionNamed = (name: Json): RestrictedAction | null =>
  RESTRICTED_ACTIONS.find((action) => action === name) ?? null;

const wordsOf = (value: Json): readonly Json[] => (isJsonArray(value) ? value : [value]);

const tuple = (words: readonly string[]): string =>
  `(${words.map((word) => `'${word}'`).join(", ")})`;

/** Checks an entry of a resource in the registry. Entries with other keys map types. */
export const checkResourceEntry = (key: string, value: Json): void => {
  const words = wordsOf(value);
  if (key === "hooks" && !words.every((word) => hookNamed(word) !== null)) {
    throw refusal(
      "InvalidBreakPointHook",
      `Invalid hook type "${pythonText(value)}" for resource breakpoint, acceptable hook types are: ${tuple(HOOKS)}`,
    );
  }
  if (key === "restricted_actions" && !words.every((word) => restrictionNamed(word) !== null)) {
    throw refusal(
      "InvalidRestrictedAction",
      `Invalid restricted_action type "${pythonText(value)}" for resource, acceptable restricted_action types are: ${tuple(RESTRICTED_ACTIONS)}`,
    );
  }
};

interface WordIndex {
  readonly named: ReadonlyMap<string, JsonObject>;
  readonly patterns: readonly (readonly [pattern: string, entry: JsonObject])[];
}

const indexes = new WeakMap<JsonObject, WordIndex>();

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

export const hooksOf = (registry: JsonObject, name: string): ReadonlySet<Hook> =>
  new Set(wordsFor(registry, name, "hooks").flatMap((word) => hookNamed(word) ?? []));

export const restrictionsOf = (registry: JsonObject, name: string): ReadonlySet<RestrictedAction> =>
  new Set(
    wordsFor(registry, name, "restricted_actions").flatMap((word) => restrictionNamed(word) ?? []),
  );
