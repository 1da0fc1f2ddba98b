/** Finds the entries of a resource registry in little time, since a client decides its size. */
import { isJsonObject, type JsonObject } from "#lib/json.ts";
import { fitsGlob, isGlob } from "./glob.ts";
import { member } from "./json-shape.ts";

export const RESOURCES = "resources";
const BASE_URL = "base_url";
export const SETTINGS: ReadonlySet<string> = new Set(["hooks", "restricted_actions", BASE_URL]);

export interface RegistryEntry {
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

export const registryIndex = (registry: JsonObject): RegistryIndex => {
  const known = indexes.get(registry) ?? new RegistryIndex(registry);
  indexes.set(registry, known);
  return known;
};
