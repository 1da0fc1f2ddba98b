/** The checks that need types and values: unknown types and properties, and wrong values. */
import { RequestError, validationFailed } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { checkAttributes } from "./check-references.ts";
import { refuseUnknown } from "./coerce.ts";
import type { CustomConstraints } from "./custom-constraint.ts";
import { builtOutputPlace, formatOf, resourcePlace } from "./format.ts";
import { type FunctionTable, functionsOf } from "./functions/table.ts";
import { keysWith, secretProperties, showsHidden } from "./hidden-references.ts";
import { coerceProperties } from "./properties.ts";
import {
  deferredProperties,
  type RequestScope,
  scopeBeforeCreate,
  scopeOfInit,
} from "./property-references.ts";
import { resolveProperties } from "./resolve.ts";
import type { Scope } from "./scope.ts";
import { redact, secretTexts } from "./secrets.ts";
import type { Steps } from "./steps.ts";
import type { ResourceDefinition, Template } from "./template.ts";
import type { Lookup, TypeSchema } from "./type-schema.ts";
import { readUpdatePolicy } from "./update-policy.ts";
import { requestBudget, type SharedBudget } from "./value-budget.ts";

export interface ValidationOptions {
  /** False: only names and shapes count, as in POST /validate and in nested templates. */
  readonly strict: boolean;
  /** Not strict, but with the checks of the types: Heat treats nested templates so. */
  readonly plugins?: boolean;
  /** The checks by name that properties may ask for. Absent: none is asked. */
  readonly custom?: CustomConstraints;
  /** Of the request, for all templates that it nests. Absent: this template is the only one. */
  readonly budget?: SharedBudget;
}

interface Validation {
  readonly template: Template;
  readonly functions: FunctionTable;
  readonly scope: Scope;
  /** The same, but each resource has its name, and no attribute yet. */
  readonly scopeInInit: Scope;
  /** By the name of the resource: the registry may map the same type differently for each name. */
  readonly types: ReadonlyMap<string, TypeSchema>;
  readonly custom: CustomConstraints | undefined;
  readonly budget: SharedBudget;
}

export const unknownType = (type: string): RequestError =>
  validationFailed(`The Resource Type (${type}) could not be found.`);

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
): void => {
  const { template, functions, scope, scopeInInit, budget } = validation;
  const deferred = deferredProperties(functions, scope, definition.properties);
  const hidden = [...secretProperties(template, definition.properties)].filter(
    // No resource has data yet, so only parameters can be secret in what waits.
    (key) => !deferred.has(key) || showsHidden(template, definition.properties[key] ?? null),
  );
  const properties = coerceProperties(
    type.properties,
    // As in Heat, also the values that wait: a function may refuse that they have none yet.
    resolveProperties(template, definition, scopeInInit, budget),
    resourcePlace(template, definition.name, "properties"),
    // Heat spares them the constraints only: a name is no list, and it never becomes one.
    { unchecked: deferred, secret: new Set(hidden), custom: validation.custom },
  );
  askPlugin(validation, definition, type, properties);
};

const askPlugin = (
  { template, scope }: Validation,
  definition: ResourceDefinition,
  type: TypeSchema,
  properties: JsonObject,
): void => {
  const { name, metadata } = definition;
  const wrong = type.validate?.(properties, name, {
    name,
    metadata,
    place: resourcePlace(template, name),
    propertiesKey: formatOf(template.version).resource.properties,
  });
  if (wrong === null || wrong === undefined) return;
  const { code, message } = typeof wrong === "string" ? validationFailed(wrong) : wrong;
  throw new RequestError(code, 400, redact(message, secretTexts(template, scope.parameters)));
};

/** A value of a wrong type fails later, when the resource is created. The type does not see it. */
const checkPlugin = (
  validation: Validation,
  definition: ResourceDefinition,
  type: TypeSchema,
): void => {
  const { template, scopeInInit, budget } = validation;
  if (type.validate === undefined) return;
  let properties: JsonObject;
  try {
    const given = resolveProperties(template, definition, scopeInInit, budget);
    properties = coerceProperties(type.properties, given, "", {
      unchecked: new Set(Object.keys(given)),
    });
  } catch (error) {
    if (error instanceof RequestError) return;
    throw error;
  }
  askPlugin(validation, definition, type, properties);
};

/** Heat checks its values also where it is not strict. Then parameters may have no values. */
const checkUpdatePolicy = (
  { template, functions, scope, budget }: Validation,
  definition: ResourceDefinition,
  { updatePolicy = {} }: TypeSchema,
  { strict }: ValidationOptions,
): void => {
  const policy = definition.updatePolicy;
  const deferred = strict
    ? deferredProperties(functions, scope, policy)
    : keysWith(functions, policy, (one) => one.kind !== "file");
  const secret = secretProperties(template, policy);
  readUpdatePolicy(template, definition, updatePolicy, scope, {
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
  const properties = resourcePlace(template, definition.name, "properties");
  const metadata = resourcePlace(template, definition.name, "metadata");
  checkAttributes(functions, types, definition.properties, properties);
  checkAttributes(functions, types, definition.metadata, metadata);
  if (definition.deletionPolicy === "Snapshot" && type.handleSnapshotDelete === undefined) {
    const place = resourcePlace(template, definition.name, "deletionPolicy");
    throw validationFailed(`${place}: "Snapshot" deletion policy not supported`);
  }
  checkUpdatePolicy(validation, definition, type, options);
  const wrong = type.readsMetadata?.(definition.metadata) ?? null;
  if (wrong !== null) throw validationFailed(wrong);
  if (type.properties !== "any") {
    refuseUnknown(type.properties, definition.properties, properties);
  }
};

/**
 * Throws Heat's first error for the template with these types, parameters and files. In values that
 * depend on other resources it checks only the names. No text shows a hidden parameter's value.
 */
export function* validating(
  template: Template,
  parameters: ReadonlyMap<string, Json>,
  request: RequestScope,
  lookup: Lookup,
  options: ValidationOptions,
): Steps<void> {
  const types = typesOf(template, lookup);
  const functions = functionsOf(template.version);
  const validation: Validation = {
    template,
    functions,
    scope: scopeBeforeCreate(parameters, request),
    scopeInInit: scopeOfInit(template, parameters, request),
    types,
    custom: options.custom,
    budget: options.budget ?? requestBudget(),
  };
  for (const definition of template.resources.values()) {
    const type = types.get(definition.name);
    // Heat looks at nothing else of an object that exists already.
    if (type === undefined || definition.externalId !== null) continue;
    // Heat looks at it only in POST /validate.
    if (type.ignoresDefinition && (options.strict || options.plugins)) continue;
    checkDefinition(validation, definition, type, options);
    if (options.strict) checkValues(validation, definition, type);
    else if (options.plugins) checkPlugin(validation, definition, type);
    yield;
  }
  for (const output of template.outputs.values()) {
    const place = builtOutputPlace(template, output.name, output.value);
    checkAttributes(functions, types, output.value, place);
    yield;
  }
}
