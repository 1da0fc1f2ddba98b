import { RequestError } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject, mapOf } from "#lib/json.ts";
import { isJsonArray, singleMember } from "#lib/template/json-shape.ts";

export interface InputSubstitution {
  readonly inputKey: string;
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
 * Replaces each map `{<inputKey>: "name"}`, at any depth, by the input's value. The value itself is
 * not searched. Throws Heat's UserParameterMissing for a missing input if STRICT is set.
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
  mapOf(Object.entries(object).map(([key, value]) => [key, change(value)]));
