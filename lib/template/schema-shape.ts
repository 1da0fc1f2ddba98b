import { RequestError } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";

export const invalidSchema = (message: string): RequestError =>
  new RequestError("InvalidSchemaError", 400, message);

/** An error of Python itself. Heat answers 500 for a TypeError, but the request is wrong. */
export const pythonError = (
  type: "TypeError" | "ValueError" | "AttributeError" | "OverflowError",
  message: string,
): RequestError => new RequestError(type, 400, message);

export const checkKeys = (value: Json, keys: readonly string[], entity: string): JsonObject => {
  if (!isJsonObject(value)) throw invalidSchema(`Invalid ${entity}, expected a mapping`);
  const unknown = Object.keys(value).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw invalidSchema(`Invalid key '${unknown}' for ${entity}`);
  return value;
};
