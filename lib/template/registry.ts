/**
 * The resource registry of an environment. An entry maps a type, or all types with a prefix
 * (`My::*`), to another type or a template. Under `resources` it applies to the named resources.
 */
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { mapOf, mergedMaps } from "#lib/json-map.ts";
import { member } from "./json-shape.ts";

const RESOURCES = "resources";
/** Only clients use this, to find files. */
const BASE_URL = "base_url";
/** The keys under `resources` that are not types. */
const SETTINGS: ReadonlySet<string> = new Set(["hooks", "restricted_actions", BASE_URL]);

/** The name of such a type is the name of a file in the request. */
export const isTemplateName = (type: string): boolean =>
  type.endsWith(".yaml") || type.endsWith(".template");

export interface Mapping {
  /** A built-in type or the name of a template. */
  readonly type: string;
  /** The entry that named the template. Inside the template it does not apply. */
  readonly entry: readonly string[] | null;
}

interface RegistryEntry {
  readonly path: readonly string[];
  readonly pattern: string;
  readonly target: string;
}

const globPattern = (glob: string): RegExp =>
  new RegExp(
    `^${glob
      .replace(/[\\^$.+()[\]{}|]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", ".")}$`,
    "su",
  );

const entriesOf = (section: JsonObject, path: readonly string[]): readonly RegistryEntry[] =>
  Object.entries(section).flatMap(([pattern, target]) =>
    typeof target !== "string" || SETTINGS.has(pattern)
      ? []
      : [{ path: [...path, pattern], pattern, target }],
  );

/** The sections of `resources` that match the name: the exact name first, then the longest. */
const sectionsFor = (
  registry: JsonObject,
  resourceName: string,
): readonly (readonly [string, JsonObject])[] => {
  const sections = member(registry, RESOURCES) ?? null;
  if (!isJsonObject(sections)) return [];
  return Object.entries(sections)
    .flatMap(([name, section]) => (isJsonObject(section) ? [[name, section] as const] : []))
    .filter(([name]) => globPattern(name).test(resourceName))
    .sort(
      ([left], [right]) =>
        Number(right === resourceName) - Number(left === resourceName) ||
        right.length - left.length,
    );
};

const fits = ({ pattern }: RegistryEntry, type: string): boolean =>
  pattern === type || (pattern.endsWith("*") && type.startsWith(pattern.slice(0, -1)));

/** In order: entries for the name of the resource, the exact type, the longest prefix. */
const entryFor = (
  registry: JsonObject,
  resourceName: string,
  type: string,
): RegistryEntry | undefined => {
  const sections = sectionsFor(registry, resourceName).map(([name, section]) =>
    entriesOf(section, [RESOURCES, name]),
  );
  for (const entries of [...sections, entriesOf(registry, [])]) {
    const [best] = entries
      .filter((entry) => fits(entry, type) && entry.target !== entry.pattern)
      .sort(
        (left, right) =>
          Number(right.pattern === type) - Number(left.pattern === type) ||
          right.pattern.length - left.pattern.length,
      );
    if (best !== undefined) return best;
  }
  return undefined;
};

/** `My::*` mapped to `Other::*` maps `My::Type` to `Other::Type`. */
const targetOf = ({ pattern, target }: RegistryEntry, type: string): string =>
  target.endsWith("*") && pattern.endsWith("*")
    ? target.slice(0, -1) + type.slice(pattern.length - 1)
    : target;

/** `A*` mapped to `AB*` makes a longer name at each step and never comes back to an earlier one. */
const MAPPINGS_MAX = 100;

/** Follows all mappings. A circle of mappings, or a chain without end, leaves the type as it is. */
export const mapType = (registry: JsonObject, resourceName: string, type: string): Mapping => {
  let found: Mapping = { type, entry: null };
  const seen = new Set([type]);
  for (;;) {
    const entry = entryFor(registry, resourceName, found.type);
    if (entry === undefined) return found;
    const target = targetOf(entry, found.type);
    if (target === found.type) return found;
    if (seen.has(target) || seen.size > MAPPINGS_MAX) return { type, entry: null };
    seen.add(target);
    found = { type: target, entry: isTemplateName(target) ? entry.path : null };
  }
};

const withoutPath = (object: JsonObject, [first, ...rest]: readonly string[]): JsonObject =>
  mapOf(
    Object.entries(object).flatMap(([key, value]): [string, Json][] => {
      if (key !== first) return [[key, value]];
      if (rest.length === 0) return [];
      return [[key, isJsonObject(value) ? withoutPath(value, rest) : value]];
    }),
  );

/**
 * The registry of the stack below a resource. It lacks the entry that named the template, so the
 * template may use the original type. The entries for this resource apply to all types below it.
 */
export const registryBelow = (
  registry: JsonObject,
  resourceName: string,
  entry: Mapping["entry"],
): JsonObject => {
  const rest = entry === null ? registry : withoutPath(registry, entry);
  const types = withoutPath(rest, [RESOURCES]);
  const sections = sectionsFor(rest, resourceName).map(([, section]) =>
    mapOf(Object.entries(section).filter(([key]) => !SETTINGS.has(key))),
  );
  const below = mergedMaps(...sections.toReversed());
  return Object.keys(below).length === 0 ? types : mergedMaps(types, { [RESOURCES]: below });
};

/** The first entry that Hearth does not support; null: none. */
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
