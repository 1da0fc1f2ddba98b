/** Heat's InvalidSchemaError, and the shape check that throws it. */
import { RequestError } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";

export const invalidSchema = (message: string): RequestError =>
  new RequestError("InvalidSchemaError", 400, message);

/** An error of Python itself. For a TypeError Heat answers 500, but the request is to blame. */
export const pythonError = (
  type: "TypeError" | "ValueError" | "AttributeError" | "OverflowError",
  message: string,
): RequestError => new RequestError(type, 400, message);

/** The value must be a map of known keys. `entity` is Heat's word for it. */
export const checkKeys = (value: Json, keys: readonly string[], entity: string): JsonObject => {
  if (!isJsonObject(value)) throw invalidSchema(`Invalid ${entity}, expected a mapping`);
  const unknown = Object.keys(value).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw invalidSchema(`Invalid key '${unknown}' for ${entity}`);
  return value;
};
