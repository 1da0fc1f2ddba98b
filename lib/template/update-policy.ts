import { type Json, type JsonObject, mapOf } from "#lib/json.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import { resourcePlace } from "./format.ts";
import { type CoercionOptions, coerceProperties } from "./properties.ts";
import { entriesLeft, resolveValue } from "./resolve.ts";
import type { Scope } from "./scope.ts";
import type { ResourceDefinition, Template } from "./template.ts";
import { type SharedBudget, valueBudget } from "./value-budget.ts";

export const readUpdatePolicy = (
  template: Template,
  { name, updatePolicy }: ResourceDefinition,
  schemas: PropertySchemas,
  scope: Scope,
  options: CoercionOptions & { readonly budget?: SharedBudget } = {},
): JsonObject => {
  const budget = valueBudget(options.budget);
  const place = resourcePlace(template, name, "updatePolicy");
  const given = entriesLeft(template, updatePolicy).map(([key, value]): [string, Json] =>
    options.deferred?.has(key)
      ? [key, value]
      : [key, resolveValue(template, value, scope, `Property error: ${place}.${key}`, budget)],
  );
  return coerceProperties(schemas, mapOf(given), place, options);
};
