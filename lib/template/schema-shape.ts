/** Heat's InvalidSchemaError, and the shape check that raises it. */
import { RequestError } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";

export const invalidSchema = (message: string): RequestError =>
  new RequestError("InvalidSchemaError", 400, message);

/** A map of known keys; `entity` is Heat's word for what it describes. */
export const checkKeys = (value: Json, keys: readonly string[], entity: string): JsonObject => {
  if (!isJsonObject(value)) throw invalidSchema(`Invalid ${entity}, expected a mapping`);
  const unknown = Object.keys(value).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw invalidSchema(`Invalid key '${unknown}' for ${entity}`);
  return value;
};
