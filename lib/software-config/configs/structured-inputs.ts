/** Inputs put into a structured config by its deployment: tools that read JSON have no inputs of their own. */
import { RequestError } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { isJsonArray, singleMember } from "#lib/template/json-shape.ts";

export interface InputSubstitution {
  /** The key of a map that stands for an input, `get_input` unless the deployment says otherwise. */
  readonly inputKey: string;
  /** STRICT: an input that is not there is an error instead of null. */
  readonly isStrict: boolean;
}

const inputValue = (
  name: string,
  values: ReadonlyMap<string, Json>,
  { isStrict }: InputSubstitution,
): Json => {
  if (isStrict && !values.has(name)) {
    const message = `The Parameter (${name}) was not provided.`;
    throw new RequestError("UserParameterMissing", 400, message);
  }
  return values.get(name) ?? null;
};

/**
 * Replaces each map `{<inputKey>: "name"}`, at any depth, by the input's value, which is not looked into again.
 * Throws Heat's UserParameterMissing where that is strict.
 */
export const substituteInputs = (
  snippet: Json,
  values: ReadonlyMap<string, Json>,
  substitution: InputSubstitution,
): Json => {
  const within = (value: Json): Json => substituteInputs(value, values, substitution);
  if (isJsonArray(snippet)) return snippet.map(within);
  if (!isJsonObject(snippet)) return snippet;
  const [key, name] = singleMember(snippet) ?? [];
  if (key === substitution.inputKey && typeof name === "string") {
    return inputValue(name, values, substitution);
  }
  return mapMembers(snippet, within);
};

const mapMembers = (object: JsonObject, change: (value: Json) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
