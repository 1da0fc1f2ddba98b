import { RequestError, validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { checkCallsLater } from "./calls.ts";
import { type Conditions, InvalidCondition } from "./conditions.ts";
import { buildPlace, formatOf, placeIn, resourcePlace, type TemplateFormat } from "./format.ts";
import { callIn, type FunctionTable } from "./functions/table.ts";
import { isJsonArray, member } from "./json-shape.ts";
import { bindMacros } from "./macros.ts";
import { pythonText } from "./python-text.ts";
import { checkShape } from "./resource-shape.ts";
import type { DeletionPolicy, ResourceDefinition } from "./template.ts";
import { type HotVersion, isAtLeast, isCfn, type Version } from "./versions.ts";

const DELETION_POLICIES: readonly DeletionPolicy[] = ["Delete", "Retain", "Snapshot"];
/** Since this version, policies may be written in lower case. */
const LOWER_CASE_SINCE: HotVersion = "2016-10-14";

/** Shared, because most of a hundred thousand definitions have no metadata and no policy. */
const EMPTY_SECTION: JsonObject = {};
const NOTHING: readonly string[] = [];

const readDependsOn = (
  name: string,
  { version, functions }: Reading,
  source: JsonObject,
): readonly string[] => {
  const key = formatOf(version).resource.dependsOn;
  const value = member(source, key) ?? NOTHING;
  if (typeof value === "string") return [value];
  const names = isJsonArray(value) && callIn(functions, value) === null ? value : NOTHING;
  if (names.length === 0) return NOTHING;
  return names.map((item) => {
    if (typeof item === "string") return item;
    throw validationFailed(`Resource ${name} ${key} must be a list of strings`);
  });
};

export const readDeletionPolicy = (value: Json, version: Version): DeletionPolicy => {
  if (value === null) return "Delete";
  const word =
    !isCfn(version) && isAtLeast(version, LOWER_CASE_SINCE)
      ? DELETION_POLICIES.find((policy) => policy === value || policy.toLowerCase() === value)
      : DELETION_POLICIES.find((policy) => policy === value);
  if (word === undefined) {
    throw validationFailed(`Invalid deletion policy "${pythonText(value)}"`);
  }
  return word;
};

/** As in Heat, an external object (P19) has no properties, depends on nothing and is retained. */
const external = (definition: UnlinkedDefinition, externalId: string): UnlinkedDefinition => {
  const { name, type, dependsOn } = definition;
  if (externalId === "") {
    throw validationFailed(`${placeIn("resources", name)}.external_id: The id must not be empty`);
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

export interface Reading {
  readonly version: Version;
  readonly functions: FunctionTable;
  readonly conditions: Conditions;
  readonly resolve: (snippet: Json) => Json;
}

const isEnabled = (name: string, condition: Json | undefined, reading: Reading): boolean => {
  const { conditions } = reading;
  if (condition === undefined) return true;
  const word = formatOf(reading.version).resource.condition;
  try {
    return conditions.decide(condition, buildPlace(reading, "resource", name, word));
  } catch (failure) {
    if (!(failure instanceof InvalidCondition)) throw failure;
    const place = resourcePlace(reading, name, "condition");
    throw validationFailed(`${place}: ${failure.message}`);
  }
};

type ResourceKey = keyof TemplateFormat["resource"];

export type UnlinkedDefinition = Omit<ResourceDefinition, "requires">;

/** @returns null when the resource's condition is false */
export const readDefinition = (
  name: string,
  source: JsonObject,
  reading: Reading,
): UnlinkedDefinition | null => {
  const { version, functions, conditions, resolve } = reading;
  const { resource: words } = formatOf(version);
  checkName(name);
  checkShape(name, source, version);
  const written = (key: ResourceKey): Json | undefined => {
    const word = words[key];
    return word === null ? undefined : member(source, word);
  };
  const bound = (key: ResourceKey): Json => {
    const value = written(key);
    if (value === undefined) return null;
    const place = buildPlace(reading, "resource", name, words[key]);
    return bindMacros(functions, value, place, conditions);
  };
  const section = (key: ResourceKey): JsonObject => {
    const value = bound(key);
    return isJsonObject(value) ? value : EMPTY_SECTION;
  };
  const definition = {
    name,
    type: pythonText(written("type") ?? null),
    properties: section("properties"),
    metadata: section("metadata"),
    dependsOn: readDependsOn(name, reading, source),
    deletionPolicy: readDeletionPolicy(resolve(bound("deletionPolicy")), version),
    updatePolicy: section("updatePolicy"),
    description: pythonText(written("description") ?? ""),
    externalId: null,
  };
  const externalId = resolve(bound("externalId"));
  if (!isEnabled(name, written("condition"), reading)) return null;
  for (const key of ["properties", "metadata", "updatePolicy"] as const) {
    checkCallsLater(functions, definition[key], resourcePlace(reading, name, key));
  }
  return externalId === null ? definition : external(definition, pythonText(externalId));
};
