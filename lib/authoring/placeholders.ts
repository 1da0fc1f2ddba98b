/**
 * Values for the parameters that have none, so that the rest of a template can be checked. An error
 * about such a value says nothing about the template.
 */
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { mapOf, mergedMaps } from "#lib/json-map.ts";
import type { TemplateSource } from "#lib/stack/template-record.ts";
import { visitReferences } from "#lib/template/calls.ts";
import { formatOf } from "#lib/template/format.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import { member } from "#lib/template/json-shape.ts";
import type { ParameterSchema, ParameterType } from "#lib/template/parameter-schema.ts";
import { parseTemplate } from "#lib/template/parse.ts";
import { valueAt } from "./document-path.ts";

/** Errors show the value that they are about. */
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

/** Of a property in a text of Heat's: `resources.server.properties.networks[0].port`. */
const PLACE = /resources\.(?<resource>[^.:]+)\.properties\.(?<property>[^.:[]+)/;

/** Whether the property at the error's place reads one of the parameters: a part may be missing. */
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

/** In all formats. */
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

/** A placeholder meets no pattern, and the error about it would hide all others. */
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
  /** Whether an error is about a value that its user would give. */
  readonly isAboutPlaceholder: (message: string) => boolean;
}

/** `evenDefaults`: also where the template has a default, which its user may replace. */
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
