/** What needs types and values: unknown types, properties and attributes, and values that are wrong. */
import { RequestError, validationFailed } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import { visitCalls } from "./calls.ts";
import { propertyError, refuseUnknown } from "./coerce.ts";
import { unknownReference } from "./functions/get-resource.ts";
import { callIn, type FunctionTable, functionsOf } from "./functions/table.ts";
import { isJsonArray } from "./json-shape.ts";
import { coerceProperties } from "./properties.ts";
import { pythonText } from "./python-text.ts";
import { resolveProperties } from "./resolve.ts";
import type { PseudoParameters, Scope } from "./scope.ts";
import { redact, secretTexts } from "./secrets.ts";
import type { ResourceDefinition, Template } from "./template.ts";
import { readUpdatePolicy } from "./update-policy.ts";

/** The part of a resource type that a template is checked against. */
export interface TypeSchema {
  /** "any": every key, of any value. */
  readonly properties: PropertySchemas | "any";
  /** "any": every name. */
  readonly attributes: Readonly<Record<string, unknown>> | "any";
  /** Absent: the type has no update policy. */
  readonly updatePolicy?: PropertySchemas;
  /** What schemas cannot say; only asked when every property is known. Returns the text of the error. */
  readonly validate?: (properties: JsonObject, name: string) => string | null;
  /** The same of the metadata section, as it is written. */
  readonly readsMetadata?: (metadata: JsonObject) => string | null;
  /** Present where the deletion policy Snapshot is supported. */
  readonly handleSnapshotDelete?: unknown;
}

export interface ValidationOptions {
  /** False: POST /validate and nested templates, which are looked at for names and shapes but not for values. */
  readonly strict: boolean;
  /** Where values are not looked at, the types' own checks are made all the same: Heat does so in nested templates. */
  readonly plugins?: boolean;
}

interface Validation {
  readonly template: Template;
  readonly functions: FunctionTable;
  readonly scope: Scope;
  /** By the name of the resource: the registry may map one resource's type otherwise than another's. */
  readonly types: ReadonlyMap<string, TypeSchema>;
}

/** The raw answer of the provider, which Heat gives every type. */
const RAW_ATTRIBUTE = "show";

/** Stands for a name that does not exist yet: no property that uses it is checked for its value. */
const NO_STACK: PseudoParameters = { stackName: "", stackId: "", projectId: "" };

/** The type that carries out a resource of this type and name; null: there is none. */
export type Lookup = (type: string, resourceName: string) => TypeSchema | null;

const typesOf = (template: Template, lookup: Lookup): ReadonlyMap<string, TypeSchema> => {
  const types = new Map<string, TypeSchema>();
  for (const { name, type } of template.resources.values()) {
    const schema = lookup(type, name);
    if (schema === null) {
      throw validationFailed(`The Resource Type (${type}) could not be found.`);
    }
    types.set(name, schema);
  }
  return types;
};

/** Of parameters that the template hides, and of names that only resolving would tell. */
const mayUse = (
  functions: FunctionTable,
  args: Json,
  isWanted: (parameter: string) => boolean,
): boolean => {
  const name = isJsonArray(args) ? (args[0] ?? null) : args;
  if (typeof name === "string") return isWanted(name);
  return callIn(functions, args) !== null || callIn(functions, name) !== null;
};

/** Names of the properties in which some call is one that `wanted` looks for. */
const propertiesWith = (
  functions: FunctionTable,
  definition: ResourceDefinition,
  wanted: (call: string, args: Json, refers: boolean) => boolean,
): ReadonlySet<string> => {
  const found = Object.entries(definition.properties).filter(([, value]) => {
    let has = false;
    visitCalls(functions, value, "", ({ definition: fn, args }) => {
      has ||= wanted(fn.name, args, fn.refersTo !== undefined);
    });
    return has;
  });
  return new Set(found.map(([key]) => key));
};

/**
 * Names of the properties whose values may show a hidden parameter, or what another resource made (a
 * password, say): for `coerceProperties`, so that no error does.
 */
export const secretProperties = (
  template: Template,
  definition: ResourceDefinition,
): ReadonlySet<string> => {
  const functions = functionsOf(template.version);
  return propertiesWith(
    functions,
    definition,
    (name, args, refers) => refers || usesHidden(template, functions, name, args),
  );
};

const usesHidden = (
  template: Template,
  functions: FunctionTable,
  call: string,
  args: Json,
): boolean => {
  const isHidden = (name: string): boolean => template.parameters.get(name)?.hidden === true;
  return call === "get_param" && mayUse(functions, args, isHidden);
};

/** Whether a snippet may show a hidden parameter: what it becomes elsewhere has to be hidden there too. */
export const showsHidden = (template: Template, snippet: Json): boolean => {
  const functions = functionsOf(template.version);
  let shows = false;
  visitCalls(functions, snippet, "", ({ definition: { name }, args }) => {
    shows ||= usesHidden(template, functions, name, args);
  });
  return shows;
};

/** Values that wait for other resources, for the stack's names, or for parameters that have no value. */
const deferredProperties = (
  { functions, scope }: Validation,
  definition: ResourceDefinition,
): ReadonlySet<string> => {
  const isPseudo = (name: string): boolean =>
    name.startsWith("OS::") && !scope.parameters.has(name);
  return propertiesWith(
    functions,
    definition,
    (name, args, refers) => refers || (name === "get_param" && mayUse(functions, args, isPseudo)),
  );
};

const without = (properties: JsonObject, keys: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(Object.entries(properties).filter(([key]) => !keys.has(key)));

/** Also where the value waits for something else: the file is there or it is not. */
const checkFiles = ({ functions, scope }: Validation, definition: ResourceDefinition): void => {
  for (const [key, value] of Object.entries(definition.properties)) {
    visitCalls(functions, value, "", ({ definition: fn, args }) => {
      if (fn.name !== "get_file" || typeof args !== "string") return;
      if (Object.hasOwn(scope.files, args)) return;
      throw propertyError(
        `resources.${definition.name}.properties.${key}`,
        `No content found in the "files" section for get_file path: ${args}`,
      );
    });
  }
};

const checkValues = (
  validation: Validation,
  definition: ResourceDefinition,
  type: TypeSchema,
): void => {
  const { template, scope } = validation;
  const deferred = deferredProperties(validation, definition);
  const known = { ...definition, properties: without(definition.properties, deferred) };
  const properties = coerceProperties(
    type.properties,
    resolveProperties(template, known, scope),
    `resources.${definition.name}.properties`,
    { deferred, secret: secretProperties(template, definition) },
  );
  checkFiles(validation, definition);
  askPlugin(validation, definition, type, deferred, properties);
};

const askPlugin = (
  { template, scope }: Validation,
  definition: ResourceDefinition,
  type: TypeSchema,
  deferred: ReadonlySet<string>,
  properties: JsonObject,
): void => {
  const wrong = deferred.size === 0 ? (type.validate?.(properties, definition.name) ?? null) : null;
  if (wrong === null) return;
  throw validationFailed(redact(wrong, secretTexts(template, scope.parameters)));
};

const withoutConstraints = (schemas: PropertySchemas): PropertySchemas =>
  Object.fromEntries(
    Object.entries(schemas).map(([key, { constraints: _, ...schema }]) => [
      key,
      schema.schema === undefined
        ? schema
        : { ...schema, schema: withoutConstraints(schema.schema) },
    ]),
  );

/** Values that break a schema are found out when the resource is made; so what the type says of them is not asked either. */
const checkPlugin = (
  validation: Validation,
  definition: ResourceDefinition,
  type: TypeSchema,
): void => {
  const { template, scope } = validation;
  const deferred = deferredProperties(validation, definition);
  if (deferred.size > 0 || type.validate === undefined) return;
  let properties: JsonObject;
  try {
    const schemas = type.properties === "any" ? "any" : withoutConstraints(type.properties);
    properties = coerceProperties(schemas, resolveProperties(template, definition, scope), "");
  } catch (error) {
    if (error instanceof RequestError) return;
    throw error;
  }
  askPlugin(validation, definition, type, deferred, properties);
};

/** The values of a definition's properties that are known before anything is made. */
export const knownProperties = (
  template: Template,
  parameters: ReadonlyMap<string, Json>,
  files: Readonly<Record<string, string>>,
  definition: ResourceDefinition,
): JsonObject => {
  const scope: Scope = { parameters, pseudo: NO_STACK, files, resource: () => null };
  const functions = functionsOf(template.version);
  const deferred = deferredProperties({ template, functions, scope, types: new Map() }, definition);
  try {
    const known = { ...definition, properties: without(definition.properties, deferred) };
    return resolveProperties(template, known, scope);
  } catch (error) {
    if (error instanceof RequestError) return {};
    throw error;
  }
};

const unknownAttribute = (place: string, resource: string, attribute: Json): RequestError =>
  validationFailed(
    `${place}: The Referenced Attribute (${resource} ${pythonText(attribute)}) is incorrect.`,
  );

/** Attributes that are named by a call are not looked at: only resolving would tell. */
const checkAttributes = (
  { template, functions, types }: Validation,
  snippet: Json,
  place: string,
): void => {
  visitCalls(functions, snippet, place, ({ definition, args }, callPlace) => {
    const reference = definition.refersTo?.(args);
    if (definition.name !== "get_attr" || reference === undefined || reference === null) return;
    const { resource, attribute } = reference;
    if (callIn(functions, resource) !== null) return;
    const target = typeof resource === "string" ? template.resources.get(resource) : undefined;
    if (target === undefined) {
      const { message } = unknownReference(resource, "unknown");
      throw validationFailed(`${callPlace}.get_attr: ${message}`);
    }
    const attributes = types.get(target.name)?.attributes ?? "any";
    if (attributes === "any" || attribute === undefined || attribute === RAW_ATTRIBUTE) return;
    if (callIn(functions, attribute) !== null) return;
    if (typeof attribute === "string" && Object.hasOwn(attributes, attribute)) return;
    throw unknownAttribute(`${callPlace}.get_attr`, target.name, attribute);
  });
};

/** Where values are not looked at, those of parameters may be missing, and Heat looks at all others here. */
const checkUpdatePolicy = (
  { template, functions, scope, types }: Validation,
  definition: ResourceDefinition,
  { updatePolicy = {} }: TypeSchema,
  { strict }: ValidationOptions,
): void => {
  const policy = { ...definition, properties: definition.updatePolicy };
  const deferred = strict
    ? deferredProperties({ template, functions, scope, types }, policy)
    : propertiesWith(functions, policy, (name, _, refers) => refers || name === "get_param");
  const secret = secretProperties(template, policy);
  readUpdatePolicy(template, definition, updatePolicy, scope, { deferred, secret });
};

const checkDefinition = (
  validation: Validation,
  definition: ResourceDefinition,
  type: TypeSchema,
  options: ValidationOptions,
): void => {
  const place = `resources.${definition.name}`;
  checkAttributes(validation, definition.properties, `${place}.properties`);
  checkAttributes(validation, definition.metadata, `${place}.metadata`);
  if (definition.deletionPolicy === "Snapshot" && type.handleSnapshotDelete === undefined) {
    throw validationFailed(`${place}.deletion_policy: "Snapshot" deletion policy not supported`);
  }
  checkUpdatePolicy(validation, definition, type, options);
  const wrong = type.readsMetadata?.(definition.metadata) ?? null;
  if (wrong !== null) throw validationFailed(wrong);
  if (type.properties !== "any") {
    refuseUnknown(type.properties, definition.properties, `${place}.properties`);
  }
};

/**
 * Throws the first of Heat's errors that the template has with these types, parameters and files. Values that depend
 * on other resources are checked for their names only; the value of a hidden parameter stands in no text.
 */
export const validateTemplate = (
  template: Template,
  parameters: ReadonlyMap<string, Json>,
  files: Readonly<Record<string, string>>,
  lookup: Lookup,
  options: ValidationOptions,
): void => {
  const types = typesOf(template, lookup);
  const scope: Scope = { parameters, pseudo: NO_STACK, files, resource: () => null };
  const validation = { template, functions: functionsOf(template.version), scope, types };
  for (const definition of template.resources.values()) {
    const type = types.get(definition.name);
    if (type === undefined) continue;
    checkDefinition(validation, definition, type, options);
    if (options.strict) checkValues(validation, definition, type);
    else if (options.plugins) checkPlugin(validation, definition, type);
  }
  for (const output of template.outputs.values()) {
    checkAttributes(validation, output.value, `outputs.${output.name}.value`);
  }
};
