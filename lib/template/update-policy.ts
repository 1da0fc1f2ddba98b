/** The update_policy section of a definition, against the schemas of its type. */
import type { JsonObject } from "#lib/json.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import { type CoercionOptions, coerceProperties } from "./properties.ts";
import { resolveValue } from "./resolve.ts";
import type { Scope } from "./scope.ts";
import type { ResourceDefinition, Template } from "./template.ts";

/**
 * The policy's values with their defaults. Throws Heat's StackValidationFailed for the first that is
 * wrong. As in Heat, what it refers to is not waited for: parameters are what it is for.
 */
export const readUpdatePolicy = (
  template: Template,
  { name, updatePolicy }: ResourceDefinition,
  schemas: PropertySchemas,
  scope: Scope,
  options: CoercionOptions = {},
): JsonObject => {
  const place = `resources.${name}.update_policy`;
  const given = Object.entries(updatePolicy).map(([key, value]) =>
    options.deferred?.has(key)
      ? [key, value]
      : [key, resolveValue(template, value, scope, `Property error: ${place}.${key}`)],
  );
  return coerceProperties(schemas, Object.fromEntries(given), place, options);
};
