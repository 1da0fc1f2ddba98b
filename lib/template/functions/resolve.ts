import { Bug, RequestError, validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject, mapOf } from "#lib/json.ts";
import { mappingsOf, resourcePlace } from "../format.ts";
import { isJsonArray } from "../json-shape.ts";
import type { Scope } from "../scope.ts";
import { safeText, secretTexts } from "../secrets.ts";
import type { OutputDefinition, ResourceDefinition, Template } from "../template.ts";
import type { Evaluation } from "./function.ts";
import { showsHidden } from "./hidden-references.ts";
import { type Call, callIn, type FunctionTable, functionsOf, isRemovedCall } from "./table.ts";
import {
  resourceBudget,
  type SharedBudget,
  type ValueBudget,
  valueBudget,
} from "./value-budget.ts";

export const snippetResolver = (
  functions: FunctionTable,
  scope: Scope,
  budget: ValueBudget,
  isEnabled: (condition: Json) => boolean,
): ((snippet: Json) => Json) => {
  let callsAround = 0;
  const evaluate = ({ definition, args }: Call): Json => {
    const { name } = definition;
    // Fails before the call if the errors are too long already, so that no more are written.
    budget.tell(name, 0);
    callsAround += 1;
    try {
      const result = definition.evaluate(args, evaluation);
      budget.take(name, result, callsAround === 1);
      return result;
    } catch (failure) {
      const isTold = callsAround === 1 && failure instanceof RequestError;
      if (isTold) budget.tell(name, failure.message.length);
      throw failure;
    } finally {
      callsAround -= 1;
    }
  };
  const resolve = (snippet: Json): Json => {
    if (isJsonArray(snippet)) {
      return snippet.filter((item) => !isRemovedCall(functions, item)).map(resolve);
    }
    if (!isJsonObject(snippet)) return snippet;
    const call = callIn(functions, snippet);
    if (call !== null) return evaluate(call);
    const members = Object.entries(snippet).filter(([, value]) => !isRemovedCall(functions, value));
    return mapOf(members.map(([key, value]) => [key, resolve(value)]));
  };
  const evaluation: Evaluation = {
    parameters: scope.parameters,
    pseudo: scope.pseudo,
    mappings: scope.mappings ?? {},
    files: scope.files,
    facade: scope.facade,
    resource: (name) => scope.resource(name),
    resolve,
    isEnabled,
    budget,
  };
  return resolve;
};

const withMappings = (template: Pick<Template, "version" | "source">, scope: Scope): Scope => ({
  ...scope,
  mappings: mappingsOf(template),
});

const resolver = (
  template: Pick<Template, "version" | "source">,
  scope: Scope,
  budget: ValueBudget,
): ((snippet: Json) => Json) =>
  snippetResolver(functionsOf(template.version), withMappings(template, scope), budget, () => {
    throw new Bug("Only a condition may ask for conditions");
  });

interface Failed {
  readonly snippet: Json;
  readonly failure: unknown;
}

const withText = (
  template: Template,
  scope: Scope,
  { snippet, failure }: Failed,
  text: (message: string) => string,
): RequestError => {
  if (!(failure instanceof RequestError)) throw failure;
  const secrets = secretTexts(template, scope.parameters);
  const message = safeText(failure, secrets, () => showsHidden(template, snippet));
  // The failure must not become the cause, because its text may show a secret.
  return new RequestError(failure.code, failure.status, text(message));
};

/** Puts the place in front of a function's error. All values of one answer share a budget. */
export const resolveValue = (
  template: Template,
  snippet: Json,
  scope: Scope,
  place: string,
  budget: ValueBudget = valueBudget(),
): Json => {
  try {
    return resolver(template, scope, budget)(snippet);
  } catch (failure) {
    throw withText(template, scope, { snippet, failure }, (message) => `${place}: ${message}`);
  }
};

export const entriesLeft = (
  { version }: Pick<Template, "version">,
  section: JsonObject,
): readonly [string, Json][] => {
  const functions = functionsOf(version);
  return Object.entries(section).filter(([, value]) => !isRemovedCall(functions, value));
};

/**
 * Throws `Property error: resources.r.properties.p: …` for the first property that fails. `shared`
 * is the budget of a request that resolves many resources.
 */
export const resolveProperties = (
  template: Template,
  definition: ResourceDefinition,
  scope: Scope,
  shared?: SharedBudget,
): JsonObject => {
  const resolve = resolver(template, scope, resourceBudget(template.resources.size, shared));
  const entries = entriesLeft(template, definition.properties).map(
    ([key, value]): [string, Json] => {
      try {
        return [key, resolve(value)];
      } catch (failure) {
        const place = `${resourcePlace(template, definition.name, "properties")}.${key}`;
        const error = withText(
          template,
          scope,
          { snippet: value, failure },
          (message) => `Property error: ${place}: ${message}`,
        );
        throw validationFailed(error.message);
      }
    },
  );
  return mapOf(entries);
};

export interface ResolvedOutput {
  readonly value: Json;
  readonly error?: string;
  readonly errorCode?: string;
}

/** As in Heat, an output that fails has an error text instead of a value. All share one budget. */
export const resolveOutputs = (
  template: Template,
  outputs: readonly OutputDefinition[],
  scope: Scope,
  shared?: SharedBudget,
): readonly ResolvedOutput[] => {
  const resolve = resolver(template, scope, valueBudget(shared));
  return outputs.map((output) => {
    if (output.unread !== undefined) return { value: null, error: output.unread };
    try {
      return { value: resolve(output.value) };
    } catch (failure) {
      const { message, code } = withText(
        template,
        scope,
        { snippet: output.value, failure },
        (text) => text,
      );
      return { value: null, error: message, errorCode: code };
    }
  });
};
