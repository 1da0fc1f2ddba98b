/** The values of a template's parameters, checked with all custom constraints. */
import type { Json } from "#lib/json.ts";
import type { Environment } from "#lib/template/environment.ts";
import { resolveParameters } from "#lib/template/parameters.ts";
import type { ParsedTemplate } from "#lib/template/template.ts";
import { customConstraints } from "./custom-constraints.ts";

/** Not strict: values may be missing or wrong, and are then left out. */
export const parameterValues = (
  template: ParsedTemplate,
  { parameters, parameterDefaults }: Pick<Environment, "parameters" | "parameterDefaults">,
  { strict }: { readonly strict: boolean } = { strict: true },
): ReadonlyMap<string, Json> =>
  resolveParameters(template, parameters, parameterDefaults, { strict, customConstraints });
