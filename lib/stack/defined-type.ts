/**
 * Finds the type of a definition through the environment's registry. The type may be a template of
 * the request's files: then its parameters are the properties and its outputs the attributes.
 */
import { RequestError, validationFailed } from "#lib/errors.ts";
import { type JsonObject, mapOf } from "#lib/json.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { isTemplateName, mapType } from "#lib/template/environment/registry.ts";
import { nestedError, nestedPlace } from "#lib/template/faults.ts";
import { readVersion } from "#lib/template/format.ts";
import { propertyOf } from "#lib/template/parameters/parameter-check.ts";
import type { ParameterSchema } from "#lib/template/parameters/parameter-schema.ts";
import { parseTemplate } from "#lib/template/parse/parse.ts";
import { pythonText } from "#lib/template/python-text.ts";
import type { ParsedTemplate, ResourceDefinition } from "#lib/template/template.ts";
import type { TurnPorts } from "./in-turns.ts";
import { readTemplateText, type TextPorts } from "./read-document.ts";
import { TemplateCache } from "./record/template-cache.ts";
import type { TemplateSource } from "./record/template-record.ts";

export type TypePorts = Pick<Ports, "resourceTypes"> & TextPorts & TurnPorts;

export type Defined = Pick<ResourceDefinition, "name" | "type">;

export const definedTypeName = (
  { environment }: Pick<TemplateSource, "environment">,
  { name, type }: Defined,
): string => mapType(environment.resourceRegistry, name, type).type;

/**
 * Null if the type does not exist. Throws Heat's StackValidationFailed for a missing or wrong
 * template.
 */
export const definedType = async (
  ports: TypePorts,
  source: TemplateSource,
  definition: Defined,
): Promise<ResourceType | null> => {
  const name = definedTypeName(source, definition);
  const type = await ports.resourceTypes.get(name);
  if (type === null || !isTemplateName(name)) return type;
  const place = nestedPlace({ version: readVersion(source.template) }, definition.name, name);
  const template = await nestedTemplate(ports, source.files, name, place);
  const properties = propertiesOf(template, source.environment.parameterDefaults);
  return { ...type, schema: { ...type.schema, properties, propertiesAreParameters: true } };
};

/** Keyed by text: stacks and updates with the same file share one parsed template. */
const parsedFiles = new TemplateCache<ParsedTemplate>();

export const nestedTemplate = async (
  ports: TextPorts,
  files: TemplateSource["files"],
  name: string,
  place: string,
): Promise<ParsedTemplate> => {
  const text = fileText(files, name);
  const known = parsedFiles.get(text);
  return known ?? parsedFiles.keep(text, text.length, await parseFile(ports, text, name, place));
};

const parseFile = async (
  ports: TextPorts,
  text: string,
  name: string,
  place: string,
): Promise<ParsedTemplate> => {
  const source = await readFile(ports, text, name);
  try {
    return parseTemplate(source);
  } catch (error) {
    throw nestedError(error, place);
  }
};

const fileText = (files: TemplateSource["files"], name: string): string => {
  const text = Object.hasOwn(files, name) ? files[name] : undefined;
  if (text !== undefined) return text;
  throw validationFailed(`Could not fetch remote template "${name}": ${whyNotFetched(name)}`);
};

const INVALID = "Template not in valid format: ";

const readFile = async (ports: TextPorts, text: string, name: string) => {
  try {
    return await readTemplateText(ports, text, name);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw validationFailed(error.message.replace(INVALID, ""));
  }
};

/** The engine fetches no templates: a request must contain all files. */
export const whyNotFetched = (name: string): string => {
  const [, scheme = ""] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(name) ?? [];
  return /^https?$/.test(scheme)
    ? `Failed to retrieve template from ${name}`
    : `Invalid URL scheme ${scheme}`;
};

const propertiesOf = (template: ParsedTemplate, parameterDefaults: JsonObject): PropertySchemas =>
  mapOf(
    [...template.parameters.values()].map((parameter) => [
      parameter.name,
      {
        ...propertyOf(parameter),
        description: pythonText(parameter.description),
        // The environment or the nested template has the default.
        required: isRequired(parameter, parameterDefaults),
        updateAllowed: true,
      },
    ]),
  );

const isRequired = ({ name, default: own }: ParameterSchema, defaults: JsonObject): boolean =>
  (Object.hasOwn(defaults, name) ? defaults[name] : own) === null;
