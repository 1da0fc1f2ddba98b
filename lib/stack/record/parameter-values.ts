import type { Json } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Environment } from "#lib/template/environment/environment.ts";
import {
  checkParameterGroups,
  checkParameters,
  readParameterValues,
} from "#lib/template/parameters/parameters.ts";
import type { ParsedTemplate } from "#lib/template/template.ts";
import { customConstraints } from "../check/custom-constraints.ts";

type Given = Pick<Environment, "parameters" | "parameterDefaults">;

/** Does not check: a stored stack may have a value that is no longer valid, such as a date. */
export const parameterValues = (
  template: ParsedTemplate,
  { parameters, parameterDefaults }: Given,
): ReadonlyMap<string, Json> => readParameterValues(template, parameters, parameterDefaults);

export const checkedValues = (
  { clock }: Pick<Ports, "clock">,
  template: ParsedTemplate,
  given: Given,
): ReadonlyMap<string, Json> => {
  const { parameters, parameterDefaults } = given;
  checkParameters(template, parameters, parameterDefaults, customConstraints(clock.now()));
  checkParameterGroups(template);
  return parameterValues(template, given);
};

/** Like `checkedValues`, but leaves out missing and wrong values. */
export const knownValues = (template: ParsedTemplate, given: Given): ReadonlyMap<string, Json> => {
  checkParameters(template, given.parameters, given.parameterDefaults, null);
  checkParameterGroups(template);
  return parameterValues(template, given);
};
