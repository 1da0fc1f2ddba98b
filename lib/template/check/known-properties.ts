/** Decides which property values are unknown until other resources exist. */
import { RequestError } from "#lib/errors.ts";
import { type Json, type JsonObject, mapOf } from "#lib/json.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import { refusal, unlessRefused } from "../faults.ts";
import { resourcePlace } from "../format.ts";
import { hiddenProperties, keysWith, mayRead } from "../functions/hidden-references.ts";
import { entriesLeft, resolveProperties, resolveValue } from "../functions/resolve.ts";
import { type FunctionTable, functionsOf } from "../functions/table.ts";
import { type SharedBudget, valueBudget } from "../functions/value-budget.ts";
import {
  isPseudoParameter,
  type NamedStack,
  ONLY_VALIDATED,
  pseudoParameters,
  type ResourceReference,
  type Scope,
} from "../scope.ts";
import type { ResourceDefinition, Template } from "../template.ts";
import {
  type CoercionOptions,
  coerceProperties,
  readProperty,
  type TypeSchema,
  translatedBy,
} from "./properties.ts";
import { NamesConflict } from "./translations.ts";

/** An unknown name waits too, because Heat reports it only when it resolves the value. */
const isParameter = (name: Json, { parameters }: Scope): boolean =>
  typeof name === "string" && parameters.has(name);

export const deferredProperties = (
  functions: FunctionTable,
  scope: Scope,
  values: JsonObject,
): ReadonlySet<string> =>
  keysWith(
    functions,
    values,
    (reference) =>
      "resource" in reference ||
      (reference.kind === "either" && !isParameter(reference.name, scope)) ||
      mayRead(functions, reference, (name) => isPseudoParameter(name, scope)),
  );

export const without = (values: JsonObject, keys: ReadonlySet<string>): JsonObject =>
  mapOf(Object.entries(values).filter(([key]) => !keys.has(key)));

export type RequestScope = Pick<Scope, "files" | "facade"> & {
  readonly stack?: NamedStack | undefined;
};

export const scopeBeforeCreate = (
  parameters: ReadonlyMap<string, Json>,
  { files, facade }: RequestScope,
): Scope => ({ parameters, pseudo: {}, files, facade, resource: () => null });

const INIT: ResourceReference = { refId: null, attributes: {}, live: false };

/** The scope in which Heat resolves properties at a create: every resource is in INIT. */
export const scopeOfInit = (
  template: Template,
  parameters: ReadonlyMap<string, Json>,
  request: RequestScope,
  isNameless: (name: string) => boolean = () => false,
): Scope => ({
  ...scopeBeforeCreate(parameters, request),
  pseudo: pseudoParameters(request.stack ?? ONLY_VALIDATED, template),
  resource: (name) =>
    template.resources.has(name) ? { ...INIT, isNameless: isNameless(name) } : null,
});

export const knownProperties = (
  template: Template,
  parameters: ReadonlyMap<string, Json>,
  request: RequestScope,
  definition: ResourceDefinition,
  shared?: SharedBudget,
): JsonObject => {
  const scope = scopeBeforeCreate(parameters, request);
  const { properties } = definition;
  const deferred = deferredProperties(functionsOf(template.version), scope, properties);
  const known = { ...definition, properties: without(properties, deferred) };
  return unlessRefused(() => resolveProperties(template, known, scope, shared)) ?? {};
};

export const readUpdatePolicy = (
  template: Template,
  { name, updatePolicy }: ResourceDefinition,
  schemas: PropertySchemas,
  scope: Scope,
  options: CoercionOptions & { readonly budget?: SharedBudget } = {},
): JsonObject => {
  const budget = valueBudget(options.budget);
  const place = resourcePlace(template, name, "updatePolicy");
  const given = entriesLeft(template, updatePolicy).map(([key, value]): [string, Json] =>
    options.deferred?.has(key)
      ? [key, value]
      : [key, resolveValue(template, value, scope, `Property error: ${place}.${key}`, budget)],
  );
  return coerceProperties(schemas, mapOf(given), place, options);
};

const PREFIX = "Property error: : ";

/** Heat's plugin reports a Python error here, not the place of the value, unless names conflict. */
const withoutPlace = (failure: unknown): unknown => {
  if (!(failure instanceof RequestError) || !failure.message.startsWith(PREFIX)) return failure;
  const code = failure instanceof NamesConflict ? failure.code : "ValueError";
  return refusal(code, failure.message.slice(PREFIX.length));
};

interface Readable {
  readonly template: Template;
  readonly definition: ResourceDefinition;
  readonly type: TypeSchema;
  readonly values: JsonObject;
  readonly failure?: (error: unknown) => unknown;
}

/** Properties that were not validated. As in Heat, a wrong value throws only when it is read. */
export const readableProperties = ({
  template,
  definition,
  type,
  values,
  failure = (error) => error,
}: Readable): JsonObject => {
  const schemas = type.properties;
  if (schemas === "any") return values;
  const secret = hiddenProperties(template, definition.properties);
  const readable = {};
  for (const key of Object.keys(schemas)) {
    try {
      const options = { ...translatedBy(type, definition), secret };
      const value = readProperty(schemas, values, key, options);
      if (value !== undefined) Object.defineProperty(readable, key, { enumerable: true, value });
    } catch (error) {
      const get = (): never => {
        throw failure(withoutPlace(error));
      };
      Object.defineProperty(readable, key, { enumerable: true, get });
    }
  }
  return readable;
};

export const isUnreadable = (properties: JsonObject, key: string): boolean =>
  Object.getOwnPropertyDescriptor(properties, key)?.get !== undefined;
