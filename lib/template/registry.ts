/**
 * The resource registry of an environment. An entry maps a type, or all types with a prefix
 * (`My::*`), to another type or a template. Under `resources`, entries apply to the named
 * resources.
 */
import { isJsonObject, type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import { isGlob } from "./glob.ts";
import { RESOURCES, type RegistryEntry, registryIndex, SETTINGS } from "./registry-index.ts";

export const isTemplateName = (type: string): boolean =>
  type.endsWith(".yaml") || type.endsWith(".template");

export interface Mapping {
  readonly type: string;
  /** The entry that named the template, or null. Inside the template the entry does not apply. */
  readonly entry: readonly string[] | null;
}

/** `My::*` mapped to `Other::*` maps `My::Type` to `Other::Type`. */
const targetOf = ({ pattern, target }: RegistryEntry, type: string): string =>
  target.endsWith("*") && pattern.endsWith("*")
    ? target.slice(0, -1) + type.slice(pattern.length - 1)
    : target;

/**
 * `A*` mapped to `AB*` makes a longer name at each step, so the chain never ends.
 * @limit mappings of a registry that follow each other
 * @beyond the type stays as it is
 */
const MAPPINGS_MAX = 100;

/** Follows all mappings. A cycle or an endless chain leaves the type as it is. */
export const mapType = (registry: JsonObject, resourceName: string, type: string): Mapping => {
  const index = registryIndex(registry);
  let found: Mapping = { type, entry: null };
  const seen = new Set([type]);
  for (;;) {
    const entry = index.entry(resourceName, found.type);
    if (entry === undefined) return found;
    const target = targetOf(entry, found.type);
    if (target === found.type) return found;
    if (seen.has(target) || seen.size > MAPPINGS_MAX) return { type, entry: null };
    seen.add(target);
    found = { type: target, entry: isTemplateName(target) ? entry.path : null };
  }
};

export const writtenTarget = (
  registry: JsonObject,
  resourceName: string,
  type: string,
): string | null => registryIndex(registry).entry(resourceName, type)?.target ?? null;

const withoutPath = (object: JsonObject, [first, ...rest]: readonly string[]): JsonObject =>
  mapOf(
    Object.entries(object).flatMap(([key, value]): [string, Json][] => {
      if (key !== first) return [[key, value]];
      if (rest.length === 0) return [];
      return [[key, isJsonObject(value) ? withoutPath(value, rest) : value]];
    }),
  );

export const withoutEntry = (
  registry: JsonObject,
  resourceName: string,
  type: string,
): JsonObject | null => {
  const entry = registryIndex(registry).entry(resourceName, type);
  return entry === undefined ? null : withoutPath(registry, entry.path);
};

/**
 * The registry of a nested stack. It lacks the entry that named the template, so the template may
 * use the original type. The entries for this resource apply to all types below it.
 */
export const registryBelow = (
  registry: JsonObject,
  resourceName: string,
  entry: Mapping["entry"],
): JsonObject => {
  const rest = entry === null ? registry : withoutPath(registry, entry);
  const types = withoutPath(rest, [RESOURCES]);
  const sections = registryIndex(rest)
    .sections(resourceName)
    .map(({ section }) => mapOf(Object.entries(section).filter(([key]) => !SETTINGS.has(key))));
  const below = mergedMaps(...sections.toReversed());
  return Object.keys(below).length === 0 ? types : mergedMaps(types, { [RESOURCES]: below });
};

/**
 * Each pattern is tried with each resource, so all patterns together are limited.
 * @limit patterns of names under `resources` in a registry, together
 * @beyond 400
 */
export const GLOB_CHARACTERS_MAX = 16_384;

export const hasTooManyPatterns = ({ [RESOURCES]: sections = null }: JsonObject): boolean => {
  const names = isJsonObject(sections) ? Object.keys(sections).filter(isGlob) : [];
  return names.reduce((sum, name) => sum + name.length, 0) > GLOB_CHARACTERS_MAX;
};

export const unsupportedEntry = (registry: JsonObject): string | null => {
  for (const [type, target] of Object.entries(registry)) {
    const isMapping = target === null || typeof target === "string";
    if (type === RESOURCES ? !isSupportedSection(target) : !isMapping) return type;
  }
  return null;
};

const isSupportedSection = (sections: Json): boolean =>
  sections === null ||
  (isJsonObject(sections) &&
    Object.values(sections).every(
      (section) =>
        section === null ||
        typeof section === "string" ||
        (isJsonObject(section) &&
          Object.entries(section).every(
            ([key, target]) =>
              SETTINGS.has(key) ||
              target === null ||
              typeof target === "string" ||
              isJsonObject(target),
          )),
    ));
