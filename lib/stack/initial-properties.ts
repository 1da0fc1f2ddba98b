/** The properties of a group before anything is made. Its members are made of them. */
import { RequestError } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { coerceProperties } from "#lib/template/properties.ts";
import { scopeOfInit } from "#lib/template/property-references.ts";
import { resolveProperties } from "#lib/template/resolve.ts";
import type { ResourceDefinition, Template } from "#lib/template/template.ts";
import { type Lookup, translatedBy } from "#lib/template/type-schema.ts";
import type { SharedBudget } from "#lib/template/value-budget.ts";
import type { TemplateSource } from "./template-record.ts";

interface Level {
  readonly source: TemplateSource;
  readonly template: Template;
  readonly values: ReadonlyMap<string, Json>;
  readonly budget?: SharedBudget | undefined;
}

/** As in Heat, what waits for other resources is empty. Null: a value is wrong, and fails later. */
export const initialProperties = (
  { source, template, values, budget }: Level,
  definition: ResourceDefinition,
  lookup: Lookup,
): JsonObject | null => {
  const type = lookup(definition.type, definition.name);
  if (type === null) return null;
  const isNameless = (name: string): boolean => {
    const other = template.resources.get(name);
    return other !== undefined && lookup(other.type, name)?.isNamelessBeforeCreate === true;
  };
  try {
    const scope = scopeOfInit(template, values, source, isNameless);
    const given = resolveProperties(template, definition, scope, budget);
    const more = { onlyRead: "all", ...translatedBy(type, definition) } as const;
    return coerceProperties(type.properties, given, "", more);
  } catch (error) {
    if (error instanceof RequestError) return null;
    throw error;
  }
};
