/** Marks values that stand in the place of snippets, so that they are never read as calls. */
import { isJsonObject, type Json } from "#lib/json.ts";
import { isJsonArray, singleMember } from "./json-shape.ts";

const quoted = new WeakSet<object>();

/** Only a map with one key can look like a call. */
export const quote = <Value extends Json>(value: Value): Value => {
  if (isJsonArray(value)) value.forEach(quote);
  if (!isJsonObject(value)) return value;
  if (singleMember(value) !== null) quoted.add(value);
  Object.values(value).forEach(quote);
  return value;
};

export const isQuoted = (snippet: object): boolean => quoted.has(snippet);

const secret = new WeakSet<object>();

export const quoteSecret = <Value extends Json & object>(value: Value): Value => {
  secret.add(value);
  return quote(value);
};

export const isSecretQuote = (snippet: Json): boolean =>
  isJsonObject(snippet) && secret.has(snippet);
