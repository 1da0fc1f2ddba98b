/** The resources section: checks the shape of each definition, with Heat's texts. */
import { validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { checkCalls } from "./calls.ts";
import { callIn, type FunctionTable } from "./functions/table.ts";
import { isEmpty, isJsonArray, member } from "./json-shape.ts";
import { pythonText, pythonType } from "./python-text.ts";
import { checkAcyclic, requiredNames } from "./references.ts";
import type { Steps } from "./steps.ts";
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
  const notBuilt = LATER_KEYS.find((key) => Object.hasOwn(source, key));
  if (notBuilt !== undefined) {
    throw validationFailed(
      `resources.${name}.${notBuilt}: The keyword "${notBuilt}" is not supported yet`,
    );
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

const readDeletionPolicy = (name: string, value: Json, version: Version): DeletionPolicy => {
  if (typeof value !== "string") {
    throw validationFailed(
      `resources.${name}.deletion_policy: A deletion policy that is computed is not supported yet`,
    );
  }
  const word = isAtLeast(version, LATER)
    ? DELETION_POLICIES.find((policy) => policy === value || policy.toLowerCase() === value)
    : DELETION_POLICIES.find((policy) => policy === value);
  if (word === undefined) throw validationFailed(`Invalid deletion policy "${value}"`);
  return word;
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

const readResource = (
  name: string,
  source: JsonObject,
  version: Version,
  functions: FunctionTable,
): Omit<ResourceDefinition, "requires"> => {
  checkName(name);
  checkShape(name, source, version);
  const [properties, metadata, updatePolicy] = ["properties", "metadata", "update_policy"].map(
    (key) => {
      const value = objectAt(source, key);
      checkCalls(functions, value, `resources.${name}.${key}`);
      return value;
    },
  );
  return {
    name,
    type: pythonText(source["type"] ?? null),
    properties: properties ?? {},
    metadata: metadata ?? {},
    updatePolicy: updatePolicy ?? {},
    dependsOn: readDependsOn(name, functions, source["depends_on"] ?? []),
    deletionPolicy: readDeletionPolicy(name, source["deletion_policy"] ?? "Delete", version),
    description: pythonText(source["description"] ?? ""),
  };
};

/** Throws for the first wrong shape, for unknown references and for cycles. */
export function* readResources(
  section: Json | undefined,
  version: Version,
  functions: FunctionTable,
): Steps<ReadonlyMap<string, ResourceDefinition>> {
  if (section === undefined || isEmpty(section)) return new Map();
  if (!isJsonObject(section)) {
    throw validationFailed(`'${pythonType(section)}' object has no attribute 'items'`);
  }
  const sources = Object.entries(section).map(([name, value]) => [name, readKeys(value)] as const);
  const parsed: Omit<ResourceDefinition, "requires">[] = [];
  for (const [name, source] of sources) {
    parsed.push(readResource(name, source, version, functions));
    yield;
  }
  const exists = (name: string): boolean => Object.hasOwn(section, name);
  const resources = new Map<string, ResourceDefinition>();
  for (const definition of parsed) {
    const { name, dependsOn, properties, metadata } = definition;
    const sections = [
      { place: "Properties", value: properties },
      { place: "Metadata", value: metadata },
    ];
    const requires = requiredNames(functions, { name, dependsOn, sections }, exists);
    resources.set(name, { ...definition, requires });
    yield;
  }
  checkAcyclic(resources);
  return resources;
}
