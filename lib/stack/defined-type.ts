/**
 * The type that carries a definition out: what the environment's registry maps it to. Where that is a
 * template of the request's files, its parameters are the properties and its outputs the attributes.
 */
import { RequestError, validationFailed } from "#lib/errors.ts";
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import type { ResourceType, ResourceTypes } from "#lib/ports/resource-type.ts";
import { nestedError } from "#lib/template/nested-place.ts";
import { parseTemplate, parseTemplateText } from "#lib/template/parse.ts";
import { isTemplateName, mapType } from "#lib/template/registry.ts";
import type { ResourceDefinition, Template } from "#lib/template/template.ts";
import type { TemplateSource } from "./template-record.ts";

/** The name under which `ResourceTypes` has it: a built-in type or a template's. Never fails: an unknown one is found out later. */
export const definedTypeName = (
  { environment }: TemplateSource,
  { name, type }: Pick<ResourceDefinition, "name" | "type">,
): string => mapType(environment.resourceRegistry, name, type).type;

/** Null: there is no such type. Throws Heat's StackValidationFailed for a template that is not there or is wrong. */
export const definedType = async (
  types: ResourceTypes,
  source: TemplateSource,
  definition: Pick<ResourceDefinition, "name" | "type">,
): Promise<ResourceType | null> =>
  typeOfDefinition(await types.get(definedTypeName(source, definition)), source, definition);

/** `type` is the registry's. A template's properties are its parameters. */
export const typeOfDefinition = (
  type: ResourceType | null,
  source: TemplateSource,
  definition: Pick<ResourceDefinition, "name" | "type">,
): ResourceType | null => {
  const name = definedTypeName(source, definition);
  if (type === null || !isTemplateName(name)) return type;
  const template = nestedTemplate(source.files, name, definition.name);
  return { ...type, schema: { ...type.schema, properties: propertiesOf(template) } };
};

const parsed = new WeakMap<TemplateSource["files"], Map<string, Template>>();

/** The template of a file, parsed once for each set of files. */
export const nestedTemplate = (
  files: TemplateSource["files"],
  name: string,
  resourceName: string,
): Template => {
  const known = parsed.get(files) ?? new Map<string, Template>();
  parsed.set(files, known);
  const template = known.get(name) ?? parseFile(files, name, resourceName);
  known.set(name, template);
  return template;
};

const parseFile = (
  files: TemplateSource["files"],
  name: string,
  resourceName: string,
): Template => {
  const source = readFile(files, name);
  try {
    return parseTemplate(source);
  } catch (error) {
    throw nestedError(error, resourceName, name);
  }
};

const INVALID = "Template not in valid format: ";

const readFile = (files: TemplateSource["files"], name: string) => {
  const text = Object.hasOwn(files, name) ? files[name] : undefined;
  if (text === undefined) throw validationFailed(missingFile(name));
  try {
    return parseTemplateText(text);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const reason = error.message.replace(INVALID, "");
    const isSyntax = reason.includes("line ");
    throw validationFailed(isSyntax ? `Error parsing template ${name} ${reason}` : reason);
  }
};

/** Nothing is fetched: what a template consists of travels with its request. */
const missingFile = (name: string): string => {
  const [, scheme = ""] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(name) ?? [];
  const why = /^https?$/.test(scheme)
    ? `Failed to retrieve template from ${name}`
    : `Invalid URL scheme ${scheme}`;
  return `Could not fetch remote template "${name}": ${why}`;
};

/** Lists and maps are taken as they come: the parameter below reads text of them too. */
const PROPERTY_TYPES: Readonly<Record<string, PropertySchema["type"]>> = {
  string: "string",
  number: "number",
  boolean: "boolean",
};

const propertiesOf = (template: Template): PropertySchemas =>
  Object.fromEntries(
    [...template.parameters.values()].map((parameter) => [
      parameter.name,
      {
        type: PROPERTY_TYPES[parameter.type] ?? "any",
        description: parameter.description,
        // A parameter with a default may be left out, and then the template below has it.
        required: parameter.default === null,
        updateAllowed: true,
      },
    ]),
  );
