/** Decides which property values are unknown until other resources exist. */
import { RequestError } from "#lib/errors.ts";
import { type Json, type JsonObject, mapOf } from "#lib/json.ts";
import { type FunctionTable, functionsOf } from "./functions/table.ts";
import { keysWith, mayRead } from "./hidden-references.ts";
import { resolveProperties } from "./resolve.ts";
import {
  isPseudoParameter,
  type NamedStack,
  ONLY_VALIDATED,
  pseudoParameters,
  type ResourceReference,
  type Scope,
} from "./scope.ts";
import type { ResourceDefinition, Template } from "./template.ts";
import type { SharedBudget } from "./value-budget.ts";

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
  try {
    const known = { ...definition, properties: without(properties, deferred) };
    return resolveProperties(template, known, scope, shared);
  } catch (error) {
    if (error instanceof RequestError) return {};
    throw error;
  }
};
