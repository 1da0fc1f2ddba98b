/**
 * The resource registry of an environment: what a type stands for. An entry maps a type (or all that begin
 * alike, `My::*`) to another type or to a template; under `resources` it does so for resources of a name.
 */
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { member } from "./json-shape.ts";

const RESOURCES = "resources";
/** Only clients use it, to find files. */
const BASE_URL = "base_url";
/** What an entry under `resources` may say besides types. */
const SETTINGS: ReadonlySet<string> = new Set(["hooks", "restricted_actions", BASE_URL]);

/** A type that is a template: its name is the name of a file of the request. */
export const isTemplateName = (type: string): boolean =>
  type.endsWith(".yaml") || type.endsWith(".template");

export interface Mapping {
  /** A built-in type or the name of a template; a type that is mapped to nothing stands for itself. */
  readonly type: string;
  /** The entry that named the template, to be left out below it: there the type is what it was before. */
  readonly entry: readonly string[] | null;
}

interface Entry {
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

const entriesOf = (section: JsonObject, path: readonly string[]): readonly Entry[] =>
  Object.entries(section).flatMap(([pattern, target]) =>
    typeof target !== "string" || SETTINGS.has(pattern)
      ? []
      : [{ path: [...path, pattern], pattern, target }],
  );

/** The sections of `resources` whose name fits, the very name first, then the longest. */
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

const fits = ({ pattern }: Entry, type: string): boolean =>
  pattern === type || (pattern.endsWith("*") && type.startsWith(pattern.slice(0, -1)));

/** What is said of the resource by its name comes first, then the exact type, then the longest beginning. */
const entryFor = (registry: JsonObject, resourceName: string, type: string): Entry | undefined => {
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
const targetOf = ({ pattern, target }: Entry, type: string): string =>
  target.endsWith("*") && pattern.endsWith("*")
    ? target.slice(0, -1) + type.slice(pattern.length - 1)
    : target;

/** Follows the registry as far as it goes. Mappings in a circle lead nowhere: the type stands for itself. */
export const mapType = (registry: JsonObject, resourceName: string, type: string): Mapping => {
  let found: Mapping = { type, entry: null };
  const seen = new Set([type]);
  for (;;) {
    const entry = entryFor(registry, resourceName, found.type);
    if (entry === undefined) return found;
    const target = targetOf(entry, found.type);
    if (target === found.type) return found;
    if (seen.has(target)) return { type, entry: null };
    seen.add(target);
    found = { type: target, entry: isTemplateName(target) ? entry.path : null };
  }
};

const withoutPath = (object: JsonObject, [first, ...rest]: readonly string[]): JsonObject =>
  Object.fromEntries(
    Object.entries(object).flatMap(([key, value]): [string, Json][] => {
      if (key !== first) return [[key, value]];
      if (rest.length === 0) return [];
      return [[key, isJsonObject(value) ? withoutPath(value, rest) : value]];
    }),
  );

/**
 * The registry of the stack below a resource: without the entry that led there, so that a template may use
 * the type that it stands in for; and what `resources` says of this resource is said of all below it.
 */
export const registryBelow = (
  registry: JsonObject,
  resourceName: string,
  entry: Mapping["entry"],
): JsonObject => {
  const rest = entry === null ? registry : withoutPath(registry, entry);
  const { [RESOURCES]: _, ...types } = rest;
  const sections = sectionsFor(rest, resourceName).map(([, section]) => section);
  const below: JsonObject = Object.assign({}, ...sections.toReversed());
  return Object.keys(below).length === 0 ? types : { ...types, [RESOURCES]: below };
};

/** The entries that are not carried out: a mapping that has no effect must not be taken for one that has. */
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
          !Object.hasOwn(section, "hooks") &&
          !Object.hasOwn(section, "restricted_actions") &&
          Object.values(section).every(
            (target) => target === null || typeof target === "string" || isJsonObject(target),
          )),
    ));
