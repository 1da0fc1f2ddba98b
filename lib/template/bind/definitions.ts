import { type RequestError, validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject, mapOf } from "#lib/json.ts";
import { type Faults, refusal } from "../faults.ts";
import {
  buildPlace,
  builtOutputPlace,
  formatOf,
  type HotVersion,
  isAtLeast,
  isCfn,
  outputPlace,
  placeIn,
  resourcePlace,
  type TemplateFormat,
  type Version,
} from "../format.ts";
import { checkCallsLater } from "../functions/calls.ts";
import { callIn, type FunctionTable, isRemovedCall } from "../functions/table.ts";
import { isEmpty, isJsonArray, member } from "../json-shape.ts";
import { checkShape } from "../parse/resource-shape.ts";
import { noAttribute, pythonText, pythonType } from "../python-text.ts";
import type { DeletionPolicy, OutputDefinition, ResourceDefinition } from "../template.ts";
import { type Conditions, inPlace } from "./conditions.ts";

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
    throw refusal(
      "InvalidExternalResourceDependency",
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
    return bindMacros(reading, value, place);
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
  const condition = written("condition");
  if (condition !== undefined) {
    const word = buildPlace(reading, "resource", name, words.condition);
    const place = resourcePlace(reading, name, "condition");
    if (!inPlace(place, () => conditions.decide(condition, word))) return null;
  }
  for (const key of ["properties", "metadata", "updatePolicy"] as const) {
    checkCallsLater(functions, definition[key], resourcePlace(reading, name, key));
  }
  return externalId === null ? definition : external(definition, pythonText(externalId));
};

const outputError = (reading: Reading, name: string, reason: string): RequestError =>
  validationFailed(`Output validation error: ${outputPlace(reading, name)}: ${reason}`);

const outputIsNoMap = (reading: Reading, name: string, found: Json): RequestError =>
  outputError(
    reading,
    name,
    `Output definitions must be a map. Found a ${pythonType(found)} instead`,
  );

const readOutput = (name: string, source: Json, reading: Reading): OutputDefinition => {
  const { functions, conditions } = reading;
  const words = formatOf(reading.version).output;
  if (!isJsonObject(source)) throw outputIsNoMap(reading, name, source);
  const value = member(source, words.value);
  if (value === undefined) {
    throw outputError(reading, name, `Each output definition must contain a ${words.value} key.`);
  }
  const description = pythonText(member(source, words.description) ?? "No description given");
  const condition = words.condition === null ? undefined : member(source, words.condition);
  if (condition !== undefined) {
    const word = buildPlace(reading, "output", name, words.condition);
    const isEnabled = inPlace(outputPlace(reading, name, "condition"), () =>
      conditions.decide(condition, word),
    );
    if (!isEnabled) return { name, description, value: null };
  }
  const place = buildPlace(reading, "output", name, words.value);
  const bound = bindMacros(reading, value, place);
  checkCallsLater(functions, bound, builtOutputPlace(reading, name, bound));
  return { name, description, value: bound };
};

export const readOutputs = (
  section: Json | undefined,
  reading: Reading,
  note: Faults["note"],
): ReadonlyMap<string, OutputDefinition> => {
  if (section === undefined || isEmpty(section)) return new Map();
  if (!isJsonObject(section)) {
    if (isCfn(reading.version)) throw validationFailed(noAttribute(section, "items"));
    throw outputIsNoMap(reading, "", section);
  }
  const outputs = new Map<string, OutputDefinition>();
  for (const [name, value] of Object.entries(section)) {
    try {
      outputs.set(name, readOutput(name, value, reading));
    } catch (failure) {
      note(failure);
    }
  }
  return outputs;
};

const checkCall = (functions: FunctionTable, snippet: Json, place: string): void => {
  const call = callIn(functions, snippet);
  const wrong = call?.definition.refuse(call.args, (inner) => callIn(functions, inner) !== null);
  if (call === null || wrong === null) return;
  throw validationFailed(`${place}.${call.definition.name}: ${wrong}`);
};

/**
 * Macros choose which parts of a template exist, before anything else reads them. All other calls
 * are checked on the way, as Heat builds them.
 */
const bindMacros = ({ functions, conditions }: Reading, snippet: Json, place: string): Json => {
  const bind = (inner: Json, innerPlace: string): Json => {
    if (isJsonArray(inner)) {
      const items = inner.map((item, index) => bind(item, `${innerPlace}[${index}]`));
      return items.every((item, index) => item === inner[index]) ? inner : items;
    }
    if (!isJsonObject(inner)) return inner;
    const call = callIn(functions, inner);
    const choose = call?.definition.choose;
    if (call !== null && choose !== undefined) {
      checkCall(functions, inner, innerPlace);
      const { name } = call.definition;
      const macroPlace = `${innerPlace}.${name}`;
      const chosen = inPlace(macroPlace, () =>
        choose(call.args, (condition) => conditions.decide(condition, name)),
      ).map((value) => bind(value, macroPlace));
      return { [name]: chosen.filter((value) => !isRemovedCall(functions, value)) };
    }
    const members = Object.entries(inner).map(([key, value]): [string, Json] => [
      key,
      bind(value, `${innerPlace}.${key}`),
    ]);
    const isSame = members.every(([key, value]) => value === inner[key]);
    const bound = isSame ? inner : mapOf(members);
    checkCall(functions, bound, innerPlace);
    return bound;
  };
  return bind(snippet, place);
};
