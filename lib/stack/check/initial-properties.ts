import { unlessRefused } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import {
  isUnreadable,
  readableProperties,
  scopeOfInit,
  without,
} from "#lib/template/check/known-properties.ts";
import {
  coerceProperties,
  type Lookup,
  type TypeSchema,
  translatedBy,
} from "#lib/template/check/properties.ts";
import { resolveProperties } from "#lib/template/functions/resolve.ts";
import type { SharedBudget } from "#lib/template/functions/value-budget.ts";
import type { ResourceDefinition, Template } from "#lib/template/template.ts";
import type { TemplateSource } from "../record/template-record.ts";

interface Level {
  readonly source: TemplateSource;
  readonly template: Template;
  readonly values: ReadonlyMap<string, Json>;
  readonly budget?: SharedBudget | undefined;
}

/** As in Heat, a value that waits for another resource is empty. */
const withInitialValues = (
  { source, template, values, budget }: Level,
  definition: ResourceDefinition,
  lookup: Lookup,
  read: (type: TypeSchema, values: JsonObject) => JsonObject,
): JsonObject | null => {
  const type = lookup(definition.type, definition.name);
  if (type === null) return null;
  const isNameless = (name: string): boolean => {
    const other = template.resources.get(name);
    return other !== undefined && lookup(other.type, name)?.isNamelessBeforeCreate === true;
  };
  return unlessRefused(() => {
    const scope = scopeOfInit(template, values, source, isNameless);
    return read(type, resolveProperties(template, definition, scope, budget));
  });
};

export const initialProperties = (
  level: Level,
  definition: ResourceDefinition,
  lookup: Lookup,
): JsonObject | null =>
  withInitialValues(level, definition, lookup, (type, values) => {
    const more = { onlyRead: "all", ...translatedBy(type, definition) } as const;
    return coerceProperties(type.properties, values, "", more);
  });

/**
 * Unlike `initialProperties`, a wrong value fails only when it is read. Wrong values among
 * `readLater` are left out.
 */
export const readableInitially = (
  level: Level,
  definition: ResourceDefinition,
  lookup: Lookup,
  readLater: readonly string[],
): JsonObject | null =>
  withInitialValues(level, definition, lookup, (type, initial) => {
    const read = (values: JsonObject): JsonObject =>
      readableProperties({ template: level.template, definition, type, values });
    const readable = read(initial);
    const wrong = readLater.filter((key) => isUnreadable(readable, key));
    return wrong.length === 0 ? readable : read(without(initial, new Set(wrong)));
  });
