/** The resources section: checks the shape of each definition, with Heat's texts. */
import { RequestError, validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { checkCalls, checkCallsLater } from "./calls.ts";
import { type Conditions, InvalidCondition } from "./conditions.ts";
import { callIn, type FunctionTable } from "./functions/table.ts";
import { isEmpty, isJsonArray, member } from "./json-shape.ts";
import { bindMacros } from "./macros.ts";
import { pythonText, pythonType } from "./python-text.ts";
import type { DeletionPolicy, ResourceDefinition } from "./template.ts";
import { isAtLeast, type Version } from "./versions.ts";

const KEYS = new Set([
  "type",
  "properties",
  "metadata",
  "depends_on",
  "deletion_policy",
  "update_policy",
  "description",
  "external_id",
  "condition",
]);
/** Versions before 2016-10-14 know these words and refuse them. */
const LATER_KEYS = ["condition", "external_id"];
const LATER: Version = "2016-10-14";

const DELETION_POLICIES: readonly DeletionPolicy[] = ["Delete", "Retain", "Snapshot"];

/** Heat's words for shapes, as in `Resource r metadata type must be object`. */
const SHAPES: readonly (readonly [string, string, (value: Json) => boolean])[] = [
  ["type", "string", (value) => typeof value === "string"],
  ["properties", "object", isJsonObject],
  ["metadata", "object", isJsonObject],
  ["depends_on", "list or string", (value) => typeof value === "string" || isJsonArray(value)],
  ["deletion_policy", "string", (value) => typeof value === "string" || isJsonObject(value)],
  ["update_policy", "object", isJsonObject],
  ["description", "string", (value) => typeof value === "string"],
  ["external_id", "string", (value) => typeof value === "string" || isJsonObject(value)],
  [
    "condition",
    "string_or_boolean",
    (value) => typeof value === "string" || typeof value === "boolean" || isJsonObject(value),
  ],
];

const readKeys = (value: Json): JsonObject => {
  if (isEmpty(value)) throw validationFailed("Each resource must contain a type key.");
  if (!isJsonObject(value)) {
    throw validationFailed(
      `"resources" must contain a map of resource maps. Found a [<class '${pythonType(value)}'>] instead`,
    );
  }
  const unknown = Object.keys(value).find((key) => !KEYS.has(key));
  if (unknown !== undefined) {
    throw validationFailed(`"${unknown}" is not a valid keyword inside a resource definition`);
  }
  if (!Object.hasOwn(value, "type"))
    throw validationFailed("Each resource must contain a type key.");
  return value;
};

const checkShape = (name: string, source: JsonObject, version: Version): void => {
  if (isEmpty(source["type"])) throw validationFailed("Each Resource must contain a Type key.");
  const early = isAtLeast(version, LATER)
    ? []
    : LATER_KEYS.filter((key) => Object.hasOwn(source, key));
  if (early.length > 0) {
    throw validationFailed(`Invalid keyword(s) inside a resource definition: ${early.join(", ")}`);
  }
  for (const [key, word, fits] of SHAPES) {
    const value = member(source, key);
    if (value !== undefined && !fits(value)) {
      throw validationFailed(`Resource ${name} ${key} type must be ${word}`);
    }
  }
};

const readDependsOn = (name: string, functions: FunctionTable, value: Json): readonly string[] => {
  if (typeof value === "string") return [value];
  const names = isJsonArray(value) && callIn(functions, value) === null ? value : [];
  return names.map((item) => {
    if (typeof item === "string") return item;
    throw validationFailed(`Resource ${name} depends_on must be a list of strings`);
  });
};

const readDeletionPolicy = (value: Json, version: Version): DeletionPolicy => {
  if (value === null) return "Delete";
  const word = isAtLeast(version, LATER)
    ? DELETION_POLICIES.find((policy) => policy === value || policy.toLowerCase() === value)
    : DELETION_POLICIES.find((policy) => policy === value);
  if (word === undefined) {
    throw validationFailed(`Invalid deletion policy "${pythonText(value)}"`);
  }
  return word;
};

/**
 * Like Heat, an object from outside the stack has no properties here, depends on nothing and is
 * retained.
 */
const external = (definition: UnlinkedDefinition, externalId: string): UnlinkedDefinition => {
  const { name, type, dependsOn } = definition;
  if (externalId === "") {
    throw validationFailed(`resources.${name}.external_id: The id must not be empty`);
  }
  if (dependsOn.length > 0) {
    throw new RequestError(
      "InvalidExternalResourceDependency",
      400,
      `Invalid dependency with external ${type} resource: ${externalId}`,
    );
  }
  return { ...definition, properties: {}, deletionPolicy: "Retain", externalId };
};

const objectAt = (source: JsonObject, key: string): JsonObject => {
  const value = member(source, key);
  return isJsonObject(value) ? value : {};
};

/** The size of the column in Heat's database. */
const NAME_CHARS_MAX = 255;
const NAME_CHARS_SHOWN_MAX = 40;

const checkName = (name: string): void => {
  if (name === "") throw validationFailed("Resource name may not be empty");
  if (name.includes("/")) throw validationFailed('Resource name may not contain "/"');
  if (name.length > NAME_CHARS_MAX) {
    const beginning = name.slice(0, NAME_CHARS_SHOWN_MAX);
    throw validationFailed(
      `Resource name may not be longer than ${NAME_CHARS_MAX} characters: ${beginning}...`,
    );
  }
};

/** What a definition is read with. */
export interface Reading {
  readonly version: Version;
  readonly functions: FunctionTable;
  readonly conditions: Conditions;
  /** For a value that must be known before any resource is. */
  readonly resolve: (snippet: Json) => Json;
}

const isEnabled = (name: string, source: JsonObject, { conditions }: Reading): boolean => {
  const condition = member(source, "condition");
  if (condition === undefined) return true;
  const place = `resources.${name}.condition`;
  try {
    return conditions.decide(condition, place);
  } catch (failure) {
    if (!(failure instanceof InvalidCondition)) throw failure;
    throw validationFailed(`${place}: ${failure.message}`);
  }
};

/** A definition whose requirements are not known yet. */
export type UnlinkedDefinition = Omit<ResourceDefinition, "requires">;

/** Null: the condition of the resource is false. Throws for the first wrong shape or call. */
export const readDefinition = (
  name: string,
  source: JsonObject,
  reading: Reading,
): UnlinkedDefinition | null => {
  const { version, functions, conditions, resolve } = reading;
  checkName(name);
  checkShape(name, source, version);
  const bound = (key: string, value: Json): Json => {
    const place = `resources.${name}.${key}`;
    const snippet = bindMacros(functions, value, place, conditions);
    checkCalls(functions, snippet, place);
    return snippet;
  };
  const section = (key: string): JsonObject => {
    const value = bound(key, objectAt(source, key));
    return isJsonObject(value) ? value : {};
  };
  const definition = {
    name,
    type: pythonText(source["type"] ?? null),
    properties: section("properties"),
    metadata: section("metadata"),
    dependsOn: readDependsOn(name, functions, source["depends_on"] ?? []),
    deletionPolicy: readDeletionPolicy(
      resolve(bound("deletion_policy", source["deletion_policy"] ?? null)),
      version,
    ),
    updatePolicy: section("update_policy"),
    description: pythonText(source["description"] ?? ""),
    externalId: null,
  };
  const externalId = resolve(bound("external_id", member(source, "external_id") ?? null));
  if (!isEnabled(name, source, reading)) return null;
  for (const key of ["properties", "metadata", "updatePolicy"] as const) {
    const place = `resources.${name}.${key === "updatePolicy" ? "update_policy" : key}`;
    checkCallsLater(functions, definition[key], place);
  }
  return externalId === null ? definition : external(definition, pythonText(externalId));
};

/** The definitions as written. Throws for an entry that is no map of known keys with a type. */
export const readSection = (
  section: Json | undefined,
): readonly (readonly [string, JsonObject])[] => {
  if (section === undefined || isEmpty(section)) return [];
  if (!isJsonObject(section)) {
    throw validationFailed(`'${pythonType(section)}' object has no attribute 'items'`);
  }
  return Object.entries(section).map(([name, value]) => [name, readKeys(value)]);
};
