/**
 * Takes a part with an error out of a template, so that the next error appears. Its replacement is
 * valid for everything that may refer to that part.
 */
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { CFN_VERSIONS, VERSION_KEY, VERSIONS } from "#lib/template/format.ts";
import { changedAt, type DocumentPath, valueAt } from "./document-path.ts";

export const UNIT_STEPS = 2;

export const unitOf = (path: DocumentPath): DocumentPath => path.slice(0, UNIT_STEPS);

const sectionOf = (path: DocumentPath): string => String(path[0] ?? "").toLowerCase();

const isCfn = (path: DocumentPath): boolean => /^[A-Z]/.test(String(path[0] ?? ""));

/** An invalid version is replaced by the newest one, so that the rest can be parsed. */
const newestVersion = (key: string): string | undefined =>
  key === VERSION_KEY
    ? VERSIONS.at(-1)
    : CFN_VERSIONS.find((version) => version.startsWith(`${key}.`))?.slice(key.length + 1);

const harmless = (path: DocumentPath): Json | undefined => {
  switch (sectionOf(path)) {
    case "resources":
      return isCfn(path) ? { Type: "OS::Heat::None" } : { type: "OS::Heat::None" };
    case "parameters":
      return isCfn(path) ? { Type: "Json", Default: {} } : { type: "json", default: {} };
    case "conditions":
      return isCfn(path) ? { "Fn::Equals": ["", ""] } : { equals: ["", ""] };
    default:
      return undefined;
  }
};

/** In a resource a single property or key is taken out, except for its type. */
const partOf = (path: DocumentPath): DocumentPath | null => {
  if (sectionOf(path) !== "resources" || path.length <= UNIT_STEPS) return null;
  const key = String(path[UNIT_STEPS]).toLowerCase();
  if (key === "type") return null;
  const isIn = key === "properties" && path.length > UNIT_STEPS + 1;
  return path.slice(0, UNIT_STEPS + (isIn ? 2 : 1));
};

export interface Mending {
  readonly path: DocumentPath;
  readonly content: JsonObject;
}

const without = (document: JsonObject, path: DocumentPath): Mending => ({
  path,
  content: changedAt(document, path, undefined),
});

/** For an error that names no place: the template without one unit, for each unit. */
export function* unitMendings(document: JsonObject, unitsMax: number): Generator<Mending> {
  const paths = Object.entries(document).flatMap(([section, units]) =>
    isJsonObject(units) ? Object.keys(units).map((name) => [section, name]) : [],
  );
  for (const path of paths.slice(0, unitsMax)) {
    yield { path, content: changedAt(document, path, harmless(path)) };
  }
}

/** From the smallest change to the largest. From an environment only the value is taken out. */
export const mendings = (
  document: JsonObject,
  path: DocumentPath,
  kind: "template" | "environment",
): readonly Mending[] => {
  if (path.length === 0) return [];
  const section = path.slice(0, 1);
  if (kind === "environment") return [without(document, path), without(document, section)];
  const unit = unitOf(path);
  const isUnit = unit.length === UNIT_STEPS && isJsonObject(valueAt(document, section) ?? null);
  if (!isUnit) {
    return [
      { path: section, content: changedAt(document, section, newestVersion(String(path[0]))) },
    ];
  }
  const part = partOf(path);
  const whole = { path: unit, content: changedAt(document, unit, harmless(unit)) };
  return part === null ? [whole] : [without(document, part), whole];
};
