import type { NamedRefusal } from "#lib/model/checked-definition.ts";

export const conflictOf = (...names: readonly string[]): NamedRefusal => ({
  code: "ResourcePropertyConflict",
  message: `Cannot define the following properties at the same time: ${names.join(", ")}.`,
});

export const noneOf = (...names: readonly string[]): NamedRefusal => ({
  code: "PropertyUnspecifiedError",
  message: `At least one of the following properties must be specified: ${names.join(", ")}.`,
});

export const needs = (name: string, other: string): NamedRefusal => ({
  code: "ResourcePropertyDependency",
  message: `${name} cannot be specified without ${other}.`,
});

export const needsValue = (name: string, other: string, value: string): NamedRefusal => ({
  code: "ResourcePropertyValueDependency",
  message: `${name} property should only be specified for ${other} with value ${value}.`,
});
