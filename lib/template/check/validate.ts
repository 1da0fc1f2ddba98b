/** The checks that need types and values: unknown types and properties, and wrong values. */
import { RequestError, validationFailed } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { type Faults, FIRST_FAULT, unlessRefused } from "../faults.ts";
import { builtOutputPlace, resourcePlace } from "../format.ts";
import { visitBuiltCalls } from "../functions/calls.ts";
import { hiddenProperties, keysWith, secretProperties } from "../functions/hidden-references.ts";
import { resolveProperties } from "../functions/resolve.ts";
import { type Call, callIn, type FunctionTable, functionsOf } from "../functions/table.ts";
import { requestBudget, type SharedBudget } from "../functions/value-budget.ts";
import { member } from "../json-shape.ts";
import { pythonText } from "../python-text.ts";
import { RAW_ATTRIBUTE, type Scope, unknownReference } from "../scope.ts";
import type { ResourceDefinition, Template } from "../template.ts";
import { type Asked, askPlugin, askPluginFirst } from "./ask-plugin.ts";
import { refuseUnimplemented, refuseUnknown } from "./coerce.ts";
import type { CustomConstraints } from "./constraints.ts";
import {
  deferredProperties,
  type RequestScope,
  readableProperties,
  readUpdatePolicy,
  scopeBeforeCreate,
  scopeOfInit,
} from "./known-properties.ts";
import { coerceProperties, type Lookup, type TypeSchema, translatedBy } from "./properties.ts";

export interface ValidationOptions {
  /** If false, only names and shapes are checked, as in POST /validate and in nested templates. */
  readonly strict: boolean;
  /** Adds the types' own checks where `strict` is false. Heat treats nested templates so. */
  readonly plugins?: boolean;
  readonly custom?: CustomConstraints;
  readonly timeoutSeconds?: number | undefined;
  readonly faults?: Faults | undefined;
  readonly isChecked?: ((definition: ResourceDefinition) => boolean) | undefined;
  readonly budget?: SharedBudget;
}

interface Validation extends Asked {
  readonly functions: FunctionTable;
  readonly scope: Scope;
  /** By resource name, because the registry may map a type differently for each name. */
  readonly types: ReadonlyMap<string, TypeSchema>;
  readonly custom: CustomConstraints | undefined;
}

export const unknownType = (type: string): RequestError =>
  validationFailed(`The Resource Type (${type}) could not be found.`);

const UNKNOWN_TYPE = /^The Resource Type \(.*\) could not be found\.$/s;

export const isUnknownType = (error: unknown): boolean =>
  error instanceof RequestError && UNKNOWN_TYPE.test(error.message);

const typesOf = (template: Template, lookup: Lookup): ReadonlyMap<string, TypeSchema> => {
  const types = new Map<string, TypeSchema>();
  for (const { name, type } of template.resources.values()) {
    const schema = lookup(type, name);
    if (schema === null) throw unknownType(type);
    types.set(name, schema);
  }
  return types;
};

const checkValues = (
  validation: Validation,
  definition: ResourceDefinition,
  type: TypeSchema,
  updatePolicy: JsonObject,
): void => {
  const { template, functions, scope, scopeInInit, budget } = validation;
  const properties = coerceProperties(
    type.properties,
    resolveProperties(template, definition, scopeInInit, budget),
    resourcePlace(template, definition.name, "properties"),
    {
      onlyRead: deferredProperties(functions, scope, definition.properties),
      secret: hiddenProperties(template, definition.properties),
      custom: validation.custom,
      ...translatedBy(type, definition),
    },
  );
  askPlugin(validation, definition, type, properties, updatePolicy);
};

/** The values were not validated, but the type's own check may read a wrong one. */
const checkPlugin = (
  validation: Validation,
  definition: ResourceDefinition,
  type: TypeSchema,
  updatePolicy: JsonObject,
): void => {
  if (type.validate === undefined) return;
  const properties = propertiesForPlugin(validation, definition, type);
  if (properties !== null) askPlugin(validation, definition, type, properties, updatePolicy);
};

const propertiesForPlugin = (
  validation: Validation,
  definition: ResourceDefinition,
  type: TypeSchema,
): JsonObject | null => {
  const { template, scopeInInit, budget } = validation;
  const values = unlessRefused(() => resolveProperties(template, definition, scopeInInit, budget));
  if (values === null) return null;
  const place = resourcePlace(template, definition.name);
  const failure = (error: unknown): unknown =>
    error instanceof RequestError && error.code !== "StackValidationFailed"
      ? validationFailed(`${error.code}: ${place}: ${error.message}`)
      : error;
  return readableProperties({ template, definition, type, values, failure });
};

/** Heat reads these properties already when it makes its object of the resource. */
const checkMaking = (
  { template, scopeInInit, budget }: Validation,
  definition: ResourceDefinition,
  type: TypeSchema,
): void => {
  const { readWhenMade = [] } = type;
  if (readWhenMade.length === 0) return;
  const values = unlessRefused(() => resolveProperties(template, definition, scopeInInit, budget));
  if (values === null) return;
  const properties = readableProperties({ template, definition, type, values });
  for (const key of readWhenMade) member(properties, key);
};

/** Heat checks a policy even where it is not strict. Parameters may have no values there. */
const checkUpdatePolicy = (
  { template, functions, scope, budget }: Validation,
  definition: ResourceDefinition,
  { updatePolicy = {} }: TypeSchema,
  { strict }: ValidationOptions,
): JsonObject => {
  const policy = definition.updatePolicy;
  const deferred = strict
    ? deferredProperties(functions, scope, policy)
    : keysWith(functions, policy, (one) => one.kind !== "file");
  const secret = secretProperties(template, policy);
  return readUpdatePolicy(template, definition, updatePolicy, scope, {
    deferred,
    secret,
    budget,
  });
};

const checkDefinition = (
  validation: Validation,
  definition: ResourceDefinition,
  type: TypeSchema,
  options: ValidationOptions,
): void => {
  const { template, functions, types } = validation;
  const asksPlugins = options.strict || options.plugins === true;
  if (asksPlugins) askPluginFirst(validation, definition, type);
  const properties = resourcePlace(template, definition.name, "properties");
  const metadata = resourcePlace(template, definition.name, "metadata");
  checkAttributes(functions, types, definition.properties, properties);
  checkAttributes(functions, types, definition.metadata, metadata);
  if (definition.deletionPolicy === "Snapshot" && type.handleSnapshotDelete === undefined) {
    const place = resourcePlace(template, definition.name, "deletionPolicy");
    throw validationFailed(`${place}: "Snapshot" deletion policy not supported`);
  }
  const updatePolicy = checkUpdatePolicy(validation, definition, type, options);
  const wrong = type.readsMetadata?.(definition.metadata) ?? null;
  if (wrong !== null) throw validationFailed(wrong);
  if (type.properties !== "any") {
    refuseUnknown(type.properties, definition.properties, properties);
    if (!options.strict) {
      for (const [key, schema] of Object.entries(type.properties)) {
        refuseUnimplemented(schema, definition.properties, key, properties);
      }
    }
  }
  if (options.strict) checkValues(validation, definition, type, updatePolicy);
  else if (asksPlugins) checkPlugin(validation, definition, type, updatePolicy);
};

const isLookedAt = (
  { externalId }: ResourceDefinition,
  { ignoresDefinition }: TypeSchema,
  { strict, plugins }: ValidationOptions,
): boolean => {
  if (externalId !== null) return false;
  // Heat looks at such a definition only in POST /validate.
  return ignoresDefinition !== true || !(strict || plugins === true);
};

/**
 * Throws Heat's first error for the template with these types, parameters and files. In values that
 * depend on other resources it checks only the names. No text shows a hidden parameter's value.
 * Yields each checked definition, so that the caller can check what it nests.
 */
export function* validating(
  template: Template,
  parameters: ReadonlyMap<string, Json>,
  request: RequestScope,
  lookup: Lookup,
  options: ValidationOptions,
): Generator<ResourceDefinition | undefined, void, undefined> {
  const types = typesOf(template, lookup);
  const functions = functionsOf(template.version);
  const { faults = FIRST_FAULT } = options;
  const validation: Validation = {
    template,
    functions,
    scope: scopeBeforeCreate(parameters, request),
    scopeInInit: scopeOfInit(
      template,
      parameters,
      request,
      (name) => types.get(name)?.isNamelessBeforeCreate === true,
    ),
    types,
    custom: options.custom,
    checksValues: options.strict,
    timeoutSeconds: options.timeoutSeconds ?? null,
    budget: options.budget ?? requestBudget(),
  };
  for (const definition of options.strict ? [] : template.resources.values()) {
    const type = types.get(definition.name);
    try {
      if (type !== undefined) checkMaking(validation, definition, type);
    } catch (failure) {
      faults.note(failure);
    }
  }
  for (const definition of template.resources.values()) {
    const type = types.get(definition.name);
    try {
      const isKnown = options.isChecked?.(definition) === true;
      if (!isKnown && type !== undefined && isLookedAt(definition, type, options)) {
        checkDefinition(validation, definition, type, options);
      }
    } catch (failure) {
      faults.note(failure);
      yield undefined;
      continue;
    }
    yield definition;
  }
  for (const output of template.outputs.values()) {
    const place = builtOutputPlace(template, output.name, output.value);
    try {
      checkAttributes(functions, types, output.value, place);
    } catch (failure) {
      faults.note(failure);
    }
    yield undefined;
  }
}

const wrongAttribute = (
  functions: FunctionTable,
  types: ReadonlyMap<string, TypeSchema>,
  { definition, args }: Call,
): string | null => {
  const reference = definition.refersTo?.(args);
  if (reference?.kind !== "attribute" || callIn(functions, reference.resource) !== null) {
    return null;
  }
  const { resource, path } = reference;
  const type = typeof resource === "string" ? types.get(resource) : undefined;
  if (typeof resource !== "string" || type === undefined) {
    return unknownReference(resource, "unknown").message;
  }
  const [attribute] = path;
  if (type.attributes === "any" || attribute === undefined) return null;
  if (attribute === RAW_ATTRIBUTE || callIn(functions, attribute) !== null) return null;
  if (typeof attribute === "string" && Object.hasOwn(type.attributes, attribute)) return null;
  return `The Referenced Attribute (${resource} ${pythonText(attribute)}) is incorrect.`;
};

/** Skips computed attributes, because only resolving shows whether they exist. */
const checkAttributes = (
  functions: FunctionTable,
  types: ReadonlyMap<string, TypeSchema>,
  snippet: Json,
  place: string,
): void => {
  visitBuiltCalls(functions, snippet, place, (call, before) => {
    const wrong = wrongAttribute(functions, types, call);
    if (wrong !== null) throw validationFailed(before + wrong);
  });
};
