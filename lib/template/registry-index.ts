/** Finds the entries of a resource registry, whose size a client decides. */
import { isJsonObject, type JsonObject } from "#lib/json.ts";
import { fitsGlob, isGlob } from "./glob.ts";
import { member } from "./json-shape.ts";

export const RESOURCES = "resources";
/** Only clients use this, to find files. */
const BASE_URL = "base_url";
/** The keys under `resources` that are not types. */
export const SETTINGS: ReadonlySet<string> = new Set(["hooks", "restricted_actions", BASE_URL]);

export interface RegistryEntry {
  readonly path: readonly string[];
  readonly pattern: string;
  readonly target: string;
}

/** The entries of one map of types. */
class TypeIndex {
  readonly #exact = new Map<string, RegistryEntry>();
  /** By what stands before the asterisk. */
  readonly #prefixes = new Map<string, RegistryEntry>();
  /** Of the prefixes, the longest first. To look at every length of a long name is quadratic. */
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

  /** The exact type first, then the longest prefix. */
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
  /** The name of a resource, or a pattern. */
  readonly name: string;
  readonly section: JsonObject;
  readonly types: TypeIndex;
}

const NO_SECTIONS: readonly Section[] = [];

class RegistryIndex {
  readonly #own: TypeIndex;
  readonly #named = new Map<string, Section>();
  /** The longest pattern first. */
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

  /** The sections for a resource: the exact name first, then the longest pattern. */
  sections(resourceName: string): readonly Section[] {
    const named = this.#named.get(resourceName);
    // Only patterns are worth remembering: an entry for each of 100,000 names takes 8 MB.
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

  /** In order: entries for the name of the resource, the exact type, the longest prefix. */
  entry(resourceName: string, type: string): RegistryEntry | undefined {
    for (const { types } of this.sections(resourceName)) {
      const best = types.best(type);
      if (best !== undefined) return best;
    }
    return this.#own.best(type);
  }
}

const indexes = new WeakMap<JsonObject, RegistryIndex>();

export const registryIndex = (registry: JsonObject): RegistryIndex => {
  const known = indexes.get(registry) ?? new RegistryIndex(registry);
  indexes.set(registry, known);
  return known;
};
