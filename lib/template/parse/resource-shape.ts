import { validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import {
  formatOf,
  type HotVersion,
  isCfn,
  type TemplateFormat,
  VERSIONS,
  type Version,
} from "../format.ts";
import { isEmpty, isJsonArray, member } from "../json-shape.ts";
import { noAttribute, pythonType } from "../python-text.ts";

type ResourceKey = keyof TemplateFormat["resource"];

const resourceWords = (version: HotVersion): ReadonlySet<string | null> =>
  new Set(Object.values(formatOf(version).resource));

/** Earlier versions know these words too, but refuse the later ones with another error. */
const HOT_KEYS = resourceWords("2021-04-16");

const LATER_KEYS = new Map(
  VERSIONS.map((version) => {
    const words = resourceWords(version);
    return [version, [...HOT_KEYS].filter((key) => key !== null && !words.has(key))] as const;
  }),
);

const isText = (value: Json): boolean => typeof value === "string";
const isTextOrCall = (value: Json): boolean => isText(value) || isJsonObject(value);

/** Heat's words for shapes, as in `Resource r metadata type must be object`. */
const SHAPES: readonly (readonly [ResourceKey, string, (value: Json) => boolean])[] = [
  ["type", "string", isText],
  ["properties", "object", isJsonObject],
  ["metadata", "object", isJsonObject],
  ["dependsOn", "list or string", (value) => isText(value) || isJsonArray(value)],
  ["deletionPolicy", "string", isTextOrCall],
  ["updatePolicy", "object", isJsonObject],
  ["description", "string", isText],
  ["externalId", "string", isTextOrCall],
  ["condition", "string_or_boolean", (value) => isTextOrCall(value) || typeof value === "boolean"],
];

const readHotKeys = (value: Json): JsonObject => {
  if (isEmpty(value)) throw validationFailed("Each resource must contain a type key.");
  if (!isJsonObject(value)) {
    throw validationFailed(
      `"resources" must contain a map of resource maps. Found a [<class '${pythonType(value)}'>] instead`,
    );
  }
  const unknown = Object.keys(value).find((key) => !HOT_KEYS.has(key));
  if (unknown !== undefined) {
    throw validationFailed(`"${unknown}" is not a valid keyword inside a resource definition`);
  }
  if (!Object.hasOwn(value, "type"))
    throw validationFailed("Each resource must contain a type key.");
  return value;
};

/** As in Heat, other keys are ignored in CloudFormation's formats. */
const readCfnKeys = (value: Json): JsonObject => {
  if (!isEmpty(value) && !isJsonObject(value)) {
    throw validationFailed(
      `Resources must contain Resource. Found a [<class '${pythonType(value)}'>] instead`,
    );
  }
  if (isJsonObject(value) && !isEmpty(member(value, "Type") ?? null)) return value;
  throw validationFailed("Each Resource must contain a Type key.");
};

export const readSection = (
  section: Json | undefined,
  version: Version,
): readonly (readonly [string, JsonObject])[] => {
  if (section === undefined || isEmpty(section)) return [];
  if (!isJsonObject(section)) {
    throw validationFailed(noAttribute(section, isCfn(version) ? "values" : "items"));
  }
  const readKeys = isCfn(version) ? readCfnKeys : readHotKeys;
  return Object.entries(section).map(([name, value]) => [name, readKeys(value)]);
};

const checkEarly = (source: JsonObject, version: HotVersion): void => {
  if (isEmpty(source["type"])) throw validationFailed("Each Resource must contain a Type key.");
  const later = LATER_KEYS.get(version) ?? [];
  const early = later.filter((key) => key !== null && Object.hasOwn(source, key));
  if (early.length > 0) {
    throw validationFailed(
      `Invalid keyword(s) inside a resource definition: ${early.toSorted().join(", ")}`,
    );
  }
};

export const checkShape = (name: string, source: JsonObject, version: Version): void => {
  if (!isCfn(version)) checkEarly(source, version);
  const misfit = misfitIn(name, source, version);
  if (misfit !== null) throw validationFailed(misfit);
};

export const misfitIn = (name: string, source: JsonObject, version: Version): string | null => {
  const { resource } = formatOf(version);
  for (const [logical, words, fits] of SHAPES) {
    const key = resource[logical];
    const value = key === null ? undefined : member(source, key);
    if (value === undefined || fits(value)) continue;
    const shown = isCfn(version) ? words.replaceAll("_", " ") : words;
    return `Resource ${name} ${key} type must be ${shown}`;
  }
  return null;
};
