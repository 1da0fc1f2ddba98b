/** Resolves the calls of a template in the scope of a stack. */
import { RequestError, validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import type { Evaluation } from "./functions/function.ts";
import { callIn, functionsOf } from "./functions/table.ts";
import { isJsonArray } from "./json-shape.ts";
import type { Scope } from "./scope.ts";
import { redact, secretTexts } from "./secrets.ts";
import type { OutputDefinition, ResourceDefinition, Template } from "./template.ts";

const resolver = (template: Template, scope: Scope): ((snippet: Json) => Json) => {
  const functions = functionsOf(template.version);
  const resolve = (snippet: Json): Json => {
    if (!isJsonObject(snippet)) {
      return isJsonArray(snippet) ? snippet.map(resolve) : snippet;
    }
    const call = callIn(functions, snippet);
    if (call !== null) return call.definition.evaluate(call.args, evaluation);
    return Object.fromEntries(Object.entries(snippet).map(([key, value]) => [key, resolve(value)]));
  };
  const evaluation: Evaluation = {
    parameters: scope.parameters,
    pseudo: scope.pseudo,
    files: scope.files,
    resource: (name) => scope.resource(name),
    resolve,
  };
  return resolve;
};

/** A function throws RequestError for a wrong template. Any other error is a bug. */
const withText = (
  template: Template,
  scope: Scope,
  failure: unknown,
  text: (message: string) => string,
): RequestError => {
  if (!(failure instanceof RequestError)) throw failure;
  const message = redact(failure.message, secretTexts(template, scope.parameters));
  // The failure is not the cause here, because its text may show a secret.
  return new RequestError(failure.code, failure.status, text(message));
};

/** Throws a function's error with the place in front. */
export const resolveValue = (
  template: Template,
  snippet: Json,
  scope: Scope,
  place: string,
): Json => {
  try {
    return resolver(template, scope)(snippet);
  } catch (failure) {
    throw withText(template, scope, failure, (message) => `${place}: ${message}`);
  }
};

/** Throws `Property error: resources.r.properties.p: …` for the first property that fails. */
export const resolveProperties = (
  template: Template,
  definition: ResourceDefinition,
  scope: Scope,
): JsonObject => {
  const resolve = resolver(template, scope);
  const entries = Object.entries(definition.properties).map(([key, value]) => {
    try {
      return [key, resolve(value)];
    } catch (failure) {
      const place = `resources.${definition.name}.properties.${key}`;
      const error = withText(
        template,
        scope,
        failure,
        (message) => `Property error: ${place}: ${message}`,
      );
      throw validationFailed(error.message);
    }
  });
  return Object.fromEntries(entries);
};

/** Like Heat, an output that fails has no value but an error text. */
export const resolveOutput = (
  template: Template,
  output: OutputDefinition,
  scope: Scope,
): { value: Json; error?: string } => {
  try {
    return { value: resolver(template, scope)(output.value) };
  } catch (failure) {
    const { message } = withText(template, scope, failure, (text) => text);
    return { value: null, error: message };
  }
};
