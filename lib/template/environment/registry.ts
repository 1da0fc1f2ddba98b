/**
 * The resource registry of an environment. An entry maps a type, or all types with a prefix
 * (`My::*`), to another type or a template. Under `resources`, entries apply to the named
 * resources.
 */
import { isJsonObject, type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import { member } from "../json-shape.ts";
import { fitsGlob, isGlob } from "./glob.ts";

export const isTemplateName = (type: string): boolean =>
  type.endsWith(".yaml") || type.endsWith(".template");

interface Mapping {
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

const RESOURCES = "resources";
const BASE_URL = "base_url";
/** Finds the entries of a resource registry in little time, since a client decides its size. */
export const SETTINGS: ReadonlySet<string> = new Set(["hooks", "restricted_actions", BASE_URL]);

interface RegistryEntry {
  readonly path: readonly string[];
  readonly pattern: string;
  readonly target: string;
}

class TypeIndex {
  readonly #exact = new Map<string, RegistryEntry>();
  readonly #prefixes = new Map<string, RegistryEntry>();
  /** The lengths of the prefixes, longest first. Trying every length of a name is quadratic. */
  readonly #lengths: readonly number[];

  constructor(section: JsonObject, path: readonly string[]) {
    for (const [pattern, target] of Object.entries(section)) {
      const isEntry = typeof target === "string" && !SETTINGS.has(pattern) && target !== pattern;
      if (!isEntry) continue;
      const entry = { path: [...path, pattern], pattern, target };
      this.#exact.set(pattern, entry);
      if (pattern.endsWith("*")) this.#prefixes.set(pattern.slice(0, -1), entry);
    }
    const lengths = new Set([...this.#prefixes.keys()].map((prefix) => prefix.length));
    this.#lengths = [...lengths].sort((left, right) => right - left);
  }

  best(type: string): RegistryEntry | undefined {
    const exact = this.#exact.get(type);
    if (exact !== undefined) return exact;
    for (const length of this.#lengths) {
      const entry = this.#prefixes.get(type.slice(0, length));
      if (entry !== undefined) return entry;
    }
    return undefined;
  }
}

interface Section {
  readonly name: string;
  readonly section: JsonObject;
  readonly types: TypeIndex;
}

const NO_SECTIONS: readonly Section[] = [];

class RegistryIndex {
  readonly #own: TypeIndex;
  readonly #named = new Map<string, Section>();
  readonly #globs: readonly Section[];
  readonly #found = new Map<string, readonly Section[]>();

  constructor(registry: JsonObject) {
    this.#own = new TypeIndex(registry, []);
    const resources = member(registry, RESOURCES) ?? null;
    const sections = isJsonObject(resources) ? Object.entries(resources) : [];
    const globs: Section[] = [];
    for (const [name, section] of sections) {
      if (!isJsonObject(section)) continue;
      const found = { name, section, types: new TypeIndex(section, [RESOURCES, name]) };
      this.#named.set(name, found);
      if (isGlob(name)) globs.push(found);
    }
    this.#globs = globs.sort((left, right) => right.name.length - left.name.length);
  }

  sections(resourceName: string): readonly Section[] {
    const named = this.#named.get(resourceName);
    // Only results of patterns are cached: an entry for each of 100,000 names would take 8 MB.
    if (this.#globs.length === 0) return named === undefined ? NO_SECTIONS : [named];
    const before = this.#found.get(resourceName);
    if (before !== undefined) return before;
    const fitting = this.#globs.filter(
      (section) => section !== named && fitsGlob(section.name, resourceName),
    );
    const found = named === undefined ? fitting : [named, ...fitting];
    this.#found.set(resourceName, found);
    return found;
  }

  /** An entry for the name of the resource wins, then the exact type, then the longest prefix. */
  entry(resourceName: string, type: string): RegistryEntry | undefined {
    for (const { types } of this.sections(resourceName)) {
      const best = types.best(type);
      if (best !== undefined) return best;
    }
    return this.#own.best(type);
  }
}

const indexes = new WeakMap<JsonObject, RegistryIndex>();

const registryIndex = (registry: JsonObject): RegistryIndex => {
  const known = indexes.get(registry) ?? new RegistryIndex(registry);
  indexes.set(registry, known);
  return known;
};
