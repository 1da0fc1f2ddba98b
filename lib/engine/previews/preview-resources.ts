/** The resources that a create would make, as Heat's preview shows them. */
import { RequestError, unlessRefused } from "#lib/errors.ts";
import { type Json, type JsonObject, mapOf } from "#lib/json.ts";
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import type { Nests } from "#lib/ports/nesting.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { namedAttributes, type ResourceType } from "#lib/ports/resource-type.ts";
import { bindWithTypes } from "#lib/stack/check/check-source.ts";
import { initialProperties } from "#lib/stack/check/initial-properties.ts";
import { definedType } from "#lib/stack/defined-type.ts";
import { pauseIfDue } from "#lib/stack/in-turns.ts";
import { checkDepth, type NestCount, nestedTarget } from "#lib/stack/nested-source.ts";
import { parameterValues } from "#lib/stack/record/parameter-values.ts";
import type { TemplateSource } from "#lib/stack/record/template-record.ts";
import { scopeOfInit } from "#lib/template/check/known-properties.ts";
import { readProperty, translatedBy } from "#lib/template/check/properties.ts";
import { resourcePlace } from "#lib/template/format.ts";
import { showsHidden } from "#lib/template/functions/hidden-references.ts";
import { entriesLeft, resolveValue } from "#lib/template/functions/resolve.ts";
import { isSecretQuote } from "#lib/template/functions/table.ts";
import type { SharedBudget, ValueBudget } from "#lib/template/functions/value-budget.ts";
import { isJsonArray, member } from "#lib/template/json-shape.ts";
import { parseTemplate } from "#lib/template/parse/parse.ts";
import type { NamedStack, Scope } from "#lib/template/scope.ts";
import type { ResourceDefinition, Template } from "#lib/template/template.ts";
import { dependents } from "../resources/resource-view.ts";
import { unborn } from "../stacks/create-stack.ts";

/** A resource that has a nested stack. Heat's preview shows only its name. */
export interface PreviewedParent {
  readonly name: string;
  readonly type: string;
  readonly requiredBy: readonly string[];
}

export interface PreviewedResource extends PreviewedParent {
  readonly stackName: string;
  readonly parents: readonly PreviewedParent[];
  readonly description: string;
  readonly attributes: JsonObject;
  readonly properties: JsonObject;
  readonly metadata: JsonObject;
}

export type Previewed = PreviewedResource | readonly Previewed[];

export const isPreviewedStack = (previewed: Previewed): previewed is readonly Previewed[] =>
  Array.isArray(previewed);

export interface Level {
  readonly source: TemplateSource;
  readonly template: Template;
  readonly parameters: ReadonlyMap<string, Json>;
  readonly stackName: string;
  readonly depth: number;
  readonly nests: NestCount;
  readonly budget: ValueBudget & SharedBudget;
}

const unbornAt = ({ stack }: TemplateSource, name: string): NamedStack =>
  unborn({ name, tenant: stack?.tenant ?? "" });

/** The scope in which Heat resolves a template before its stack exists. */
export const scopeOfPreview = ({ source, template, parameters, stackName }: Level): Scope => {
  const { files, facade } = source;
  return scopeOfInit(template, parameters, { files, facade, stack: unbornAt(source, stackName) });
};

/** As in Heat, a function that fails gives null. */
const orNull = (attempt: () => Json | undefined): Json => unlessRefused(attempt) ?? null;

const nullIfRefused = (error: unknown): null => {
  if (error instanceof RequestError) return null;
  throw error;
};

/** Heat shows null for each missing member of a map, also of maps in a list. */
const filled = (schema: PropertySchema, value: Json | undefined): Json => {
  if (value === undefined || value === null) return null;
  if (isJsonArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((item) => filled(items, item));
  }
  if (schema.schema === undefined || typeof value !== "object") return value;
  return filledMembers(schema.schema, mapOf(Object.entries(value)));
};

const filledMembers = (schemas: PropertySchemas, values: JsonObject): JsonObject =>
  mapOf(Object.entries(schemas).map(([key, schema]) => [key, filled(schema, member(values, key))]));

const valuesOf = (
  level: Level,
  definition: ResourceDefinition,
  part: "properties" | "metadata",
): JsonObject => {
  const { template, budget } = level;
  const place = resourcePlace(template, definition.name, part);
  const scope = scopeOfPreview(level);
  return mapOf(
    entriesLeft(template, definition[part]).map(([key, value]) => [
      key,
      orNull(() => resolveValue(template, value, scope, place, budget)),
    ]),
  );
};

const withoutHidden = (
  { template }: Level,
  section: JsonObject,
  values: JsonObject,
): JsonObject => {
  // The members of a group have the same secrets, but no calls that show it.
  const isHidden = (key: string): boolean =>
    isSecretQuote(section) || showsHidden(template, member(section, key) ?? null);
  return mapOf(Object.entries(values).map(([key, value]) => [key, isHidden(key) ? null : value]));
};

const propertiesOf = (
  type: ResourceType | null,
  given: JsonObject,
  definition: ResourceDefinition,
): JsonObject => {
  if (type === null || type.schema.properties === "any") return {};
  const schemas = type.schema.previewed?.(given) ?? type.schema.properties;
  const more = translatedBy(type.schema, definition);
  const entries = Object.entries(schemas).map(([key, schema]): [string, Json] => [
    key,
    filled(
      schema,
      orNull(() => readProperty(schemas, given, key, more)),
    ),
  ]);
  // All properties of Heat's type are shown, but Hearth's own only if given.
  return mapOf(entries.filter(([key, value]) => value !== null || schemas[key]?.own !== true));
};

const attributesOf = (
  { template }: Level,
  type: ResourceType | null,
  properties: JsonObject,
): JsonObject => {
  if (type === null) return {};
  const isResource = (reference: string): boolean => template.resources.has(reference);
  const entries = Object.keys(namedAttributes(type.schema)).map((name): [string, Json] => [
    name,
    orNull(() => type.schema.initialAttribute?.(name, properties, isResource)),
  ]);
  return mapOf(entries);
};

export type BindLevel = (
  source: TemplateSource,
  parameters: ReadonlyMap<string, Json>,
) => Promise<Template | null>;

const nestedSource = async (
  level: Level,
  type: ResourceType,
  nests: Nests,
  definition: ResourceDefinition,
): Promise<TemplateSource | null> => {
  const { template, parameters: values, stackName, budget } = level;
  const source = { ...level.source, stack: unbornAt(level.source, stackName) };
  const given = nests.checksUnknown
    ? initialProperties({ source, template, values, budget }, definition, () => type.schema)
    : valuesOf(level, definition, "properties");
  return given && (await nestedTarget(level, definition, nests, given)).source;
};

/**
 * Throws Heat's RequestLimitExceeded for a stack that is too deep or one too many.
 * @returns null if the definition nests no stack here, or only its resources can tell which
 */
export const levelBelow = async (
  level: Level,
  type: ResourceType | null,
  definition: ResourceDefinition,
  bind: BindLevel,
): Promise<Level | null> => {
  const nests = type?.nesting;
  if (type === null || nests === undefined || nests.isRemote) return null;
  const { name } = definition;
  const depth = level.depth + 1;
  checkDepth(depth);
  const nested = await nestedSource(level, type, nests, definition).catch(nullIfRefused);
  if (nested === null) return null;
  const stackName = `${level.stackName}-${name}`;
  const source = { ...nested, stack: unbornAt(level.source, stackName) };
  const parameters = parameterValues(parseTemplate(source.template), source.environment);
  const template = await bind(source, parameters);
  if (template === null) return null;
  level.nests.add(template.resources.size);
  return { ...level, source, template, parameters, stackName, depth };
};

const boundOrNull =
  (ports: Ports, { budget }: Level): BindLevel =>
  async (source, parameters) => {
    const bound = bindWithTypes(ports, source, parameters, { budget });
    return (await bound.catch(nullIfRefused))?.template ?? null;
  };

export const previewResources = async (
  ports: Ports,
  level: Level,
  parents: readonly PreviewedParent[] = [],
): Promise<readonly Previewed[]> => {
  const requiredBy = dependents(level.template.resources);
  const previewed: Previewed[] = [];
  for (const definition of level.template.resources.values()) {
    const { name, description, metadata } = definition;
    const type = await definedType(ports, level.source, definition);
    const below = await levelBelow(level, type, definition, boundOrNull(ports, level));
    if (below !== null) {
      const parent = { name, type: definition.type, requiredBy: requiredBy.get(name) ?? [] };
      previewed.push(await previewResources(ports, below, [...parents, parent]));
      continue;
    }
    const given = valuesOf(level, definition, "properties");
    const hideIn = (values: JsonObject) => withoutHidden(level, definition.properties, values);
    const properties = hideIn(propertiesOf(type, given, definition));
    previewed.push({
      stackName: level.stackName,
      parents,
      name,
      type: definition.type,
      description,
      requiredBy: requiredBy.get(name) ?? [],
      attributes: attributesOf(level, type, hideIn(given)),
      properties,
      metadata: withoutHidden(level, metadata, valuesOf(level, definition, "metadata")),
    });
    await pauseIfDue(ports);
  }
  return previewed;
};
