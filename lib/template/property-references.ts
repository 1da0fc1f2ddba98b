/** What the calls in properties refer to. It decides which values wait and which are secret. */
import { RequestError } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { mapOf } from "#lib/json-map.ts";
import { visitReferences } from "./calls.ts";
import type { CallReference } from "./functions/function.ts";
import { callIn, type FunctionTable, functionsOf } from "./functions/table.ts";
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

const someReference = (
  functions: FunctionTable,
  snippet: Json,
  isWanted: (reference: CallReference) => boolean,
): boolean => {
  let found = false;
  visitReferences(functions, snippet, "", (reference) => {
    found ||= isWanted(reference);
  });
  return found;
};

/** The keys whose values hold a wanted reference. */
export const keysWith = (
  functions: FunctionTable,
  values: JsonObject,
  isWanted: (reference: CallReference) => boolean,
): ReadonlySet<string> => {
  const found = Object.entries(values).filter(([, value]) =>
    someReference(functions, value, isWanted),
  );
  return new Set(found.map(([key]) => key));
};

/** A computed name can be the name of any parameter. */
const mayRead = (
  functions: FunctionTable,
  reference: CallReference,
  isWanted: (parameter: string) => boolean,
): boolean => {
  if (reference.kind === "either") {
    return typeof reference.name === "string" && isWanted(reference.name);
  }
  if (reference.kind !== "parameter") return false;
  const { parameter } = reference;
  return typeof parameter === "string"
    ? isWanted(parameter)
    : callIn(functions, parameter) !== null;
};

const mayShowHidden =
  (template: Template, functions: FunctionTable) =>
  (reference: CallReference): boolean =>
    mayRead(functions, reference, (name) => template.parameters.get(name)?.hidden === true);

/**
 * The keys whose values may show a hidden parameter or the data of another resource, such as a
 * password. No error text may show these values.
 */
export const secretProperties = (template: Template, values: JsonObject): ReadonlySet<string> => {
  const functions = functionsOf(template.version);
  const isHidden = mayShowHidden(template, functions);
  const isResource = ({ name }: { readonly name: Json }): boolean =>
    typeof name === "string" && template.resources.has(name);
  return keysWith(
    functions,
    values,
    (one) => "resource" in one || (one.kind === "either" && isResource(one)) || isHidden(one),
  );
};

/** Whether a snippet may show a hidden parameter. Its value must then stay hidden everywhere. */
export const showsHidden = (template: Template, snippet: Json): boolean => {
  const functions = functionsOf(template.version);
  return someReference(functions, snippet, mayShowHidden(template, functions));
};

/** What is neither a resource nor a parameter waits too: Heat finds that when it resolves it. */
const isParameter = (name: Json, { parameters }: Scope): boolean =>
  typeof name === "string" && parameters.has(name);

/** The keys whose values wait for other resources or for the names of the stack. */
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

/** What comes with a request besides its parameters. */
export type RequestScope = Pick<Scope, "files" | "facade"> & {
  /** Absent: the stack is only validated. */
  readonly stack?: NamedStack | undefined;
};

/** The scope of validation: no resource exists yet, and the stack has no name. */
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
): Scope => ({
  ...scopeBeforeCreate(parameters, request),
  pseudo: pseudoParameters(request.stack ?? ONLY_VALIDATED, template),
  resource: (name) => (template.resources.has(name) ? INIT : null),
});

/** The property values that are known before anything is made. */
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
