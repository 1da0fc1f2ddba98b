/** The timeout that a definition gives a nested stack, whose owner's time limits it too. */
import { RequestError } from "#lib/errors.ts";
import { isJsonNumber, type Json, magnitudeOf } from "#lib/json.ts";

/** As in Heat, zero means no value, and a nested stack cannot have less. */
export const nestedTimeout = (given: Json): { readonly timeoutMins?: number } => {
  if (!isJsonNumber(given)) return {};
  const timeoutMins = Number(magnitudeOf(given));
  if (timeoutMins < 0) {
    throw new RequestError("ValueError", 400, `Invalid timeout value ${magnitudeOf(given)}`);
  }
  return timeoutMins === 0 ? {} : { timeoutMins };
};
