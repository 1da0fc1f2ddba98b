import { RequestError } from "#lib/errors.ts";
import { isJsonNumber, type Json, magnitudeOf } from "#lib/json.ts";

/** As in Heat, 0 means no timeout, and negative values are rejected. */
export const nestedTimeout = (given: Json): { readonly timeoutMins?: number } => {
  if (!isJsonNumber(given)) return {};
  const timeoutMins = Number(magnitudeOf(given));
  if (timeoutMins < 0) {
    throw new RequestError("ValueError", 400, `Invalid timeout value ${magnitudeOf(given)}`);
  }
  return timeoutMins === 0 ? {} : { timeoutMins };
};
