import { present, unlessRefused } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject, jsonEquals, mapOf } from "#lib/json.ts";
import type { CheckedDefinition, Problem, ReadProperty } from "#lib/model/checked-definition.ts";
import type {
  PropertyPath,
  PropertySchema,
  PropertySchemas,
  Translation,
} from "#lib/model/property-schema.ts";
import { isEmpty, isJsonArray, member } from "../json-shape.ts";
import type { ResourceDefinition } from "../template.ts";
import { type At, coerceMember, refuseUnimplemented, refuseUnknown } from "./coerce.ts";
import { type CustomConstraints, hideValue, showValue } from "./constraints.ts";
import { type AppliedRule, oldNamesOf, sourcesOf, targetOf } from "./translations.ts";

export interface CoercionOptions {
  /**
   * Properties that are not validated, such as those that wait for other resources. As in Heat,
   * only their types are checked, and errors name the whole property.
   */
  readonly onlyRead?: ReadonlySet<string> | "all";
  readonly deferred?: ReadonlySet<string>;
  /** Properties whose values may be secret. No error shows these values. */
  readonly secret?: ReadonlySet<string>;
  readonly custom?: CustomConstraints | undefined;
  readonly translations?: readonly Translation[] | undefined;
  /** The resource's own. As in Heat, it is the default of an updatable property `description`. */
  readonly description?: string | undefined;
}

const NO_KEYS: ReadonlySet<string> = new Set();

const readerOf = (
  schemas: PropertySchemas,
  given: JsonObject,
  place: string,
  { secret = NO_KEYS, custom, translations = [] }: CoercionOptions,
): ((key: string) => At) => {
  const owner = place.slice(0, Math.max(place.lastIndexOf("."), 0));
  const top = { place, path: "", checked: true, custom, show: showValue };
  const rules = translations.flatMap((rule): AppliedRule[] => {
    const condition = rule.when === undefined ? null : conditionOf(schemas, given, rule.when, top);
    return rule.when !== undefined && isEmpty(condition) ? [] : [{ rule, condition }];
  });
  const translator = rules.length === 0 ? undefined : { rules, schemas, given, owner };
  const shown = { ...top, translator };
  const hidden = { ...shown, show: hideValue };
  return (key) => (isOrReadsOneOf(secret, key, translations) ? hidden : shown);
};

const isOrReadsOneOf = (
  names: ReadonlySet<string>,
  key: string,
  translations: readonly Translation[],
): boolean =>
  names.size > 0 && [key, ...sourcesOf(translations, key)].some((name) => names.has(name));

const conditionOf = (schemas: PropertySchemas, given: JsonObject, key: string, top: At): Json => {
  const schema = present(member(schemas, key), key);
  const at = { ...top, checked: false };
  return unlessRefused(() => coerceMember(schema, given, key, at)) ?? null;
};

/**
 * The typed values with defaults, under the new names. As in Heat, a null is read as an empty
 * value. Throws Heat's StackValidationFailed (`Property error: <place>.<key>: …`) for the first
 * wrong value.
 */
export const coerceProperties = (
  schemas: PropertySchemas | "any",
  given: JsonObject,
  place: string,
  options: CoercionOptions = {},
): JsonObject => {
  const { deferred = NO_KEYS, onlyRead = NO_KEYS, translations = [] } = options;
  if (schemas === "any") {
    return mapOf(
      Object.entries(given).filter(([key, value]) => value !== null && !deferred.has(key)),
    );
  }
  refuseUnknown(schemas, given, place);
  const reader = readerOf(schemas, given, place, options);
  const isOnlyRead = (key: string): boolean =>
    onlyRead === "all" || isOrReadsOneOf(onlyRead, key, translations);
  const entries = Object.entries(schemas).flatMap(([key, schema]): [string, Json][] => {
    if (deferred.has(key)) return [];
    const at = reader(key);
    const read = isOnlyRead(key) ? { ...at, place: `${place}.${key}`, checked: false } : at;
    const own = coerceMember(schema, given, key, read);
    refuseUnimplemented(schema, given, key, place);
    const value = own === undefined ? ownDescription(schema, key, options) : own;
    return value === undefined ? [] : [[key, value]];
  });
  return mapOf(entries);
};

const ownDescription = (
  { updateAllowed }: PropertySchema,
  key: string,
  { description }: CoercionOptions,
): string | undefined =>
  key === "description" && updateAllowed === true && description !== "" ? description : undefined;

/** One property as `coerceProperties` returns it, without a check of its constraints. */
export const readProperty = (
  schemas: PropertySchemas,
  given: JsonObject,
  key: string,
  options: Pick<CoercionOptions, "translations" | "description" | "secret"> = {},
): Json | undefined => {
  const schema = present(member(schemas, key), key);
  const at = { ...readerOf(schemas, given, "", options)(key), checked: false };
  return coerceMember(schema, given, key, at) ?? ownDescription(schema, key, options);
};

/**
 * Both sides must be coerced. `replaces`: a changed property cannot be updated in place.
 * `immutable`: an update must not change these at all.
 */
export const changedProperties = (
  schemas: PropertySchemas | "any",
  before: JsonObject,
  after: JsonObject,
): { changed: string[]; immutable: string[]; replaces: boolean } => {
  const value = (properties: JsonObject, key: string): Json => member(properties, key) ?? null;
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...keys].filter((key) => !jsonEquals(value(before, key), value(after, key)));
  if (schemas === "any") return { changed, immutable: [], replaces: false };
  const immutable = changed.filter((key) => member(schemas, key)?.immutable).toSorted();
  const replaces = changed.some((key) => member(schemas, key)?.updateAllowed !== true);
  return { changed, immutable, replaces };
};

/** The part of a resource type that a template is checked against. */
export interface TypeSchema {
  readonly properties: PropertySchemas | "any";
  readonly translations?: readonly Translation[];
  readonly propertiesAreParameters?: true;
  /** Properties that Heat reads when it makes its object, before any check of a template. */
  readonly readWhenMade?: readonly string[];
  /** Before a create, get_resource gives null instead of the resource's name. */
  readonly isNamelessBeforeCreate?: boolean;
  readonly attributes: Readonly<Record<string, unknown>> | "any";
  readonly updatePolicy?: PropertySchemas;
  /** Checks what schemas cannot express. A value that waits for another resource is empty. */
  readonly validate?: (
    properties: JsonObject,
    name: string,
    definition: CheckedDefinition,
  ) => Problem;
  readonly validateFirst?: (read: ReadProperty, definition: CheckedDefinition) => Problem;
  readonly readsMetadata?: (metadata: JsonObject) => string | null;
  /** Heat makes such a resource without validating its sections. */
  readonly ignoresDefinition?: boolean;
  readonly handleSnapshotDelete?: unknown;
  readonly withoutProvider?: string | undefined;
  readonly isReserved?: true | undefined;
}

export const translatedBy = (
  { translations, propertiesAreParameters }: TypeSchema,
  { description }: ResourceDefinition,
): Pick<CoercionOptions, "translations" | "description"> => ({
  translations,
  description: propertiesAreParameters ? undefined : description,
});

/** @returns the type that the registry maps the name to for this resource, or null when unknown */
export type Lookup = (type: string, resourceName: string) => TypeSchema | null;

/**
 * Properties that an earlier version of Hearth stored under old names. That version translated
 * nothing, and stored the defaults of the new names beside the old ones.
 */
export const storedUnderNewNames = (
  { properties: schemas, translations = [] }: Pick<TypeSchema, "properties" | "translations">,
  stored: JsonObject,
): JsonObject => {
  const oldNames = oldNamesOf(translations);
  if (schemas === "any" || !oldNames.some((path) => hasValueAt(stored, path))) return stored;
  const paths = [...oldNames, ...translations.map(targetOf)];
  const names = new Set(paths.flatMap(([name]) => name ?? []));
  const given = withoutDefaults(schemas, stored, names);
  const read = unlessRefused(() =>
    [...names].flatMap((name): [string, Json][] => {
      const value = readProperty(schemas, given, name, { translations });
      return value === undefined ? [] : [[name, value]];
    }),
  );
  // No definition may have these values together, so they differ from every target anyway.
  if (read === null) return stored;
  return mapOf([...Object.entries(stored).filter(([name]) => !names.has(name)), ...read]);
};

const hasValueAt = (value: Json | undefined, path: PropertyPath): boolean => {
  const [step, ...rest] = path;
  if (value === undefined || step === undefined) return value !== undefined;
  if (isJsonArray(value)) return value.some((item) => hasValueAt(item, path));
  return isJsonObject(value) && hasValueAt(member(value, step), rest);
};

/** As in Heat, a default does not take part in a translation. */
const withoutDefaults = (
  schemas: PropertySchemas,
  stored: JsonObject,
  names: ReadonlySet<string>,
): JsonObject => {
  const isDefault = (name: string, value: Json): boolean => {
    const own = member(schemas, name)?.default;
    return names.has(name) && own !== undefined && jsonEquals(own, value);
  };
  return mapOf(Object.entries(stored).filter(([name, value]) => !isDefault(name, value)));
};
