/**
 * Fills in parameters that have no value, so that the rest of a template can be checked. An error
 * about such a value says nothing about the template.
 */
import { isJsonObject, type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import type { TemplateSource } from "#lib/stack/record/template-record.ts";
import { formatOf } from "#lib/template/format.ts";
import { visitReferences } from "#lib/template/functions/calls.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import { member } from "#lib/template/json-shape.ts";
import type { ParameterSchema, ParameterType } from "#lib/template/parameters/parameter-schema.ts";
import { parseTemplate } from "#lib/template/parse/parse.ts";
import { valueAt } from "./document-path.ts";

/** Errors contain the value that they are about, and this text identifies it. */
const MARK = "hearth-placeholder";

const BY_TYPE: Readonly<Record<ParameterType, Json>> = {
  string: MARK,
  number: 1,
  comma_delimited_list: MARK,
  json: { [MARK]: MARK },
  boolean: true,
};

const placeholderOf = ({ type, constraints }: ParameterSchema): Json => {
  for (const { rule } of constraints) {
    if ("allowedValues" in rule) return rule.allowedValues[0] ?? BY_TYPE[type];
    if ("range" in rule && type === "number") return rule.range.min ?? rule.range.max ?? 1;
  }
  return BY_TYPE[type];
};

/** Matches places such as `resources.server.properties.networks[0].port`. */
const PLACE = /resources\.(?<resource>[^.:]+)\.properties\.(?<property>[^.:[]+)/;

/** If the property reads a placeholder, the error may come from a part that the value lacks. */
const readsAt = (message: string, template: JsonObject, parameters: readonly string[]): boolean => {
  const { resource = "", property = "" } = PLACE.exec(message)?.groups ?? {};
  const { version } = parseTemplate(template);
  const { sections, resource: keys } = formatOf(version);
  const path = [sections.resources, resource, keys.properties, property];
  let found = false;
  visitReferences(functionsOf(version), valueAt(template, path) ?? null, "", (reference) => {
    const name = "parameter" in reference ? reference.parameter : null;
    if (typeof name === "string" && parameters.includes(name)) found = true;
  });
  return found;
};

const CONSTRAINT_KEYS: ReadonlySet<string> = new Set([
  "constraints",
  "AllowedPattern",
  "AllowedValues",
  "ConstraintDescription",
  "MaxLength",
  "MaxValue",
  "MinLength",
  "MinValue",
]);

/** A placeholder would violate constraints, and that error would hide all others. */
const withoutConstraints = (template: JsonObject, names: readonly string[]): JsonObject => {
  const section = formatOf(parseTemplate(template).version).sections.parameters;
  const parameters = member(template, section) ?? null;
  if (!isJsonObject(parameters)) return template;
  const free = names.map((name): [string, Json] => {
    const schema = member(parameters, name) ?? null;
    const kept = Object.entries(isJsonObject(schema) ? schema : {}).filter(
      ([key]) => !CONSTRAINT_KEYS.has(key),
    );
    return [name, mapOf(kept)];
  });
  return mergedMaps(template, { [section]: mergedMaps(parameters, mapOf(free)) });
};

export interface Filled {
  readonly source: TemplateSource;
  readonly isAboutPlaceholder: (message: string) => boolean;
}

/** `evenDefaults` also replaces defaults, which a user may override. */
export const withPlaceholders = (
  source: TemplateSource,
  { evenDefaults = false }: { readonly evenDefaults?: boolean } = {},
): Filled => {
  const { environment } = source;
  const isGiven = (values: JsonObject, name: string): boolean =>
    (member(values, name) ?? null) !== null;
  const missing = [...parseTemplate(source.template).parameters.values()].filter(
    (schema) =>
      (evenDefaults || schema.default === null) &&
      !isGiven(environment.parameters, schema.name) &&
      !isGiven(environment.parameterDefaults, schema.name),
  );
  const names = missing.map(({ name }) => name);
  const values = mapOf(missing.map((schema) => [schema.name, placeholderOf(schema)]));
  return {
    source: {
      ...source,
      template: withoutConstraints(source.template, names),
      environment: {
        ...environment,
        parameters: mergedMaps(environment.parameters, values),
      },
    },
    isAboutPlaceholder: (message) =>
      message.includes(MARK) ||
      names.some((name) => message.includes(`Parameter '${name}'`)) ||
      readsAt(message, source.template, names),
  };
};
