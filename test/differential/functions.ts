import { RequestError, validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { checkedValues } from "#lib/stack/record/parameter-values.ts";
import { binding, finished, linking } from "#lib/template/bind/bind.ts";
import type { TypeSchema } from "#lib/template/check/properties.ts";
import { validating } from "#lib/template/check/validate.ts";
import { resourcePlace } from "#lib/template/format.ts";
import { resolveOutputs, resolveProperties } from "#lib/template/functions/resolve.ts";
import { member } from "#lib/template/json-shape.ts";
import { parseTemplate } from "#lib/template/parse/parse.ts";
import {
  type Facade,
  pseudoParameters,
  type ResourceReference,
  type Scope,
} from "#lib/template/scope.ts";
import type { ResourceDefinition, Template } from "#lib/template/template.ts";
import type { Lane } from "./lane.ts";
import { functionQuestion } from "./snippets/question.ts";
import { ATTRIBUTES } from "./snippets/world.ts";

const CLOCK = { clock: { now: () => Date.now() } };
const STACK = { id: "stack-1", name: "web", tenant: "demo" };
/** heat_functions.py registers the same type in Heat. */
const GIVEN: TypeSchema = {
  properties: {
    value: { type: "any", description: "", required: false, updateAllowed: true, constraints: [] },
  },
  attributes: { ...ATTRIBUTES, show: "any" },
};
const LIVE: ReadonlySet<Json> = new Set([
  "CREATE",
  "ADOPT",
  "SUSPEND",
  "RESUME",
  "UPDATE",
  "ROLLBACK",
  "SNAPSHOT",
  "CHECK",
]);

const objectAt = (source: JsonObject, key: string): JsonObject => {
  const value = member(source, key) ?? null;
  return isJsonObject(value) ? value : {};
};

const textAt = (source: JsonObject, key: string): string => String(source[key]);

const facadeOf = (asked: JsonObject): Facade | undefined => {
  const given = objectAt(asked, "facade");
  if (!Object.hasOwn(given, "metadata")) return undefined;
  return {
    metadata: objectAt(given, "metadata"),
    deletionPolicy: textAt(given, "deletion_policy"),
    updatePolicy: objectAt(given, "update_policy"),
  };
};

const referenceOf = (state: JsonObject): ResourceReference => ({
  refId: textAt(state, "reference"),
  attributes: objectAt(state, "attributes"),
  live: LIVE.has(state["action"] ?? null),
  failed: state["status"] === "FAILED",
});

/** In Heat, the path in the error of a property depends on what the resource does when it fails. */
const withoutPlace = (template: Template, { message }: RequestError): RequestError => {
  const place = `Property error: ${resourcePlace(template, "user", "properties")}.value: `;
  return validationFailed(message.startsWith(place) ? message.slice(place.length) : message);
};

const propertyOf = (template: Template, user: ResourceDefinition, scope: Scope): Json => {
  try {
    return resolveProperties(template, user, scope)["value"] ?? null;
  } catch (error) {
    throw error instanceof RequestError ? withoutPlace(template, error) : error;
  }
};

const resolved = (template: Template, scope: Scope): Json => {
  const user = template.resources.get("user");
  if (user !== undefined) return propertyOf(template, user, scope);
  const [output] = resolveOutputs(template, [...template.outputs.values()], scope);
  if (output?.error === undefined) return output?.value ?? null;
  throw validationFailed(output.error);
};

const failure = (phase: string, error: unknown): JsonObject => {
  if (!(error instanceof RequestError)) throw error;
  return { phase, type: error.code, message: error.message };
};

const answered = (asked: JsonObject): JsonObject => {
  const source = objectAt(asked, "template");
  const files = Object.fromEntries(
    Object.entries(objectAt(asked, "files")).map(([name, text]) => [name, String(text)]),
  );
  const facade = facadeOf(asked);
  let template: Template;
  let parameters: ReadonlyMap<string, Json>;
  let pseudo: Scope["pseudo"];
  try {
    const parsed = parseTemplate(source);
    const given = { parameters: objectAt(asked, "parameters"), parameterDefaults: {} };
    parameters = checkedValues(CLOCK, parsed, given);
    pseudo = pseudoParameters(STACK, parsed);
    template = finished(linking(finished(binding(parsed, { parameters, pseudo, files, facade }))));
    const options = { strict: true };
    const request = { files, facade, stack: STACK };
    finished(validating(template, parameters, request, () => GIVEN, options));
  } catch (error) {
    return failure("validate", error);
  }
  const states = objectAt(asked, "states");
  const scope: Scope = {
    parameters,
    pseudo,
    files,
    facade,
    resource: (name) => {
      const state = member(states, name) ?? null;
      return isJsonObject(state) ? referenceOf(state) : null;
    },
  };
  const requires = Object.fromEntries(
    [...template.resources.values()].map((one) => [one.name, one.requires] as const).toSorted(),
  );
  try {
    return { value: resolved(template, scope), requires };
  } catch (error) {
    return failure("resolve", error);
  }
};

/** The API shows the type of an error only if a request is refused. */
const compared = (answer: JsonObject): JsonObject => {
  const { type, phase, ...rest } = answer;
  if (phase === undefined) return rest;
  return phase === "resolve" ? { phase, ...rest } : { phase, type: type ?? null, ...rest };
};

export const functions: Lane = {
  operation: "functions",
  share: 14,
  question: functionQuestion,
  subject: ({ subject }) => String(subject),
  ours: answered,
  compared,
};
