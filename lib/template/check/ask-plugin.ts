import { RequestError, validationFailed } from "#lib/errors.ts";
import { type JsonObject, type MapOf, mapOf } from "#lib/json.ts";
import type { CheckedDefinition, Problem, ReadProperty } from "#lib/model/checked-definition.ts";
import { formatOf, resourcePlace } from "../format.ts";
import { hiddenProperties } from "../functions/hidden-references.ts";
import { resolveProperties } from "../functions/resolve.ts";
import type { SharedBudget } from "../functions/value-budget.ts";
import { member } from "../json-shape.ts";
import type { Scope } from "../scope.ts";
import { redact, secretTexts } from "../secrets.ts";
import type { ResourceDefinition, Template } from "../template.ts";
import { coerceProperties, type TypeSchema } from "./properties.ts";

export interface Asked {
  readonly template: Template;
  readonly scopeInInit: Scope;
  readonly timeoutSeconds: number | null;
  readonly checksValues: boolean;
  readonly budget: SharedBudget;
}

const checkedDefinition = (
  { template, timeoutSeconds, checksValues }: Asked,
  { name, metadata, requires }: ResourceDefinition,
  updatePolicy: JsonObject,
): CheckedDefinition => ({
  place: resourcePlace(template, name),
  propertiesKey: formatOf(template.version).resource.properties,
  metadata,
  updatePolicy,
  timeoutSeconds,
  checksValues,
  isResource: (other) => template.resources.has(other),
  requires: (other) => requires.includes(other),
});

const refuse = ({ template, scopeInInit }: Asked, problem: Problem): void => {
  if (problem === null) return;
  const failure = typeof problem === "string" ? validationFailed(problem) : problem;
  const text = redact(failure.message, secretTexts(template, scopeInInit.parameters));
  throw new RequestError(failure.code, 400, text);
};

export const askPlugin = (
  asked: Asked,
  definition: ResourceDefinition,
  { validate }: TypeSchema,
  properties: JsonObject,
  updatePolicy: JsonObject,
): void => {
  if (validate === undefined) return;
  const checked = checkedDefinition(asked, definition, updatePolicy);
  refuse(asked, validate(properties, definition.name, checked));
};

/** Heat's plugin reports a Python error of the resource here, not the place of the value. */
const asValueError = (failure: unknown, definition: string, property: string): unknown => {
  const prefix = `Property error: ${property}: `;
  if (!(failure instanceof RequestError) || !failure.message.startsWith(prefix)) return failure;
  return validationFailed(`ValueError: ${definition}: ${failure.message.slice(prefix.length)}`);
};

const onlyMember = <T>(map: MapOf<T>, key: string): MapOf<T> =>
  mapOf(Object.entries(map).filter(([name]) => name === key));

const readerOf =
  (asked: Asked, definition: ResourceDefinition, type: TypeSchema): ReadProperty =>
  (key) => {
    const { template, scopeInInit, budget } = asked;
    const properties = onlyMember(definition.properties, key);
    const place = resourcePlace(template, definition.name, "properties");
    try {
      const values = resolveProperties(
        template,
        { ...definition, properties },
        scopeInInit,
        budget,
      );
      const schemas = type.properties === "any" ? "any" : onlyMember(type.properties, key);
      const secret = hiddenProperties(template, properties);
      return member(coerceProperties(schemas, values, place, { onlyRead: "all", secret }), key);
    } catch (failure) {
      const definitionPlace = resourcePlace(template, definition.name);
      throw asValueError(failure, definitionPlace, `${place}.${key}`);
    }
  };

export const askPluginFirst = (
  asked: Asked,
  definition: ResourceDefinition,
  type: TypeSchema,
): void => {
  if (type.validateFirst === undefined) return;
  const checked = checkedDefinition(asked, definition, {});
  refuse(asked, type.validateFirst(readerOf(asked, definition, type), checked));
};
