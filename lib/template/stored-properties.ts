/**
 * Properties that an earlier version of Hearth stored under old names. That version translated
 * nothing, and stored the defaults of the new names beside the old ones.
 */
import { RequestError } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject, jsonEquals, mapOf } from "#lib/json.ts";
import type { PropertyPath, PropertySchemas } from "#lib/model/property-schema.ts";
import { isJsonArray, member } from "./json-shape.ts";
import { readProperty } from "./properties.ts";
import { oldNamesOf, targetOf } from "./translations.ts";
import type { TypeSchema } from "./type-schema.ts";

export const storedUnderNewNames = (
  { properties: schemas, translations = [] }: Pick<TypeSchema, "properties" | "translations">,
  stored: JsonObject,
): JsonObject => {
  const oldNames = oldNamesOf(translations);
  if (schemas === "any" || !oldNames.some((path) => hasValueAt(stored, path))) return stored;
  const paths = [...oldNames, ...translations.map(targetOf)];
  const names = new Set(paths.flatMap(([name]) => name ?? []));
  const given = withoutDefaults(schemas, stored, names);
  try {
    const read = [...names].flatMap((name): [string, Json][] => {
      const value = readProperty(schemas, given, name, { translations });
      return value === undefined ? [] : [[name, value]];
    });
    return mapOf([...Object.entries(stored).filter(([name]) => !names.has(name)), ...read]);
  } catch (error) {
    // No definition may have these values together, so they differ from every target anyway.
    if (error instanceof RequestError) return stored;
    throw error;
  }
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
    const own = Object.hasOwn(schemas, name) ? schemas[name]?.default : undefined;
    return names.has(name) && own !== undefined && jsonEquals(own, value);
  };
  return mapOf(Object.entries(stored).filter(([name, value]) => !isDefault(name, value)));
};
