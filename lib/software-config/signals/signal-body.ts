import { badRequest, RequestError } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { DEPTH_MAX, isDeeperThan, jsonFromText, TOO_DEEP } from "#lib/template/json-shape.ts";
import { Refusal } from "../agent-requests/evidence.ts";

/**
 * @limit body of a signal
 * @beyond 413. It is recorded, and `hearth deployment diagnose` says so
 */
export const SIGNAL_BYTES_MAX = 1_048_576;
const BYTES_PER_CODE_UNIT_MAX = 3;

export const signalBlobKey = (target: {
  readonly resourceId: string;
  readonly generation: number;
}): string => `signal/${target.resourceId}/${target.generation}`;

export const checkSignalSize = (bodyText: string): void => {
  const isOver =
    bodyText.length > SIGNAL_BYTES_MAX ||
    (bodyText.length * BYTES_PER_CODE_UNIT_MAX > SIGNAL_BYTES_MAX &&
      new TextEncoder().encode(bodyText).length > SIGNAL_BYTES_MAX);
  if (!isOver) return;
  const message = `The signal is larger than ${SIGNAL_BYTES_MAX} bytes.`;
  throw new Refusal("too_large", new RequestError("RequestEntityTooLarge", 413, message));
};

/**
 * Null for an empty body. Throws 400 if it is not JSON, or nested too deep for later recursive
 * readers.
 */
export const parseSignalJson = (bodyText: string): Json => {
  if (bodyText.trim() === "") return null;
  const body = jsonFromText(bodyText);
  if (body === undefined) throw new Refusal("not_valid", badRequest("The signal is not JSON."));
  if (!isDeeperThan(body, DEPTH_MAX)) return body;
  throw new Refusal("not_valid", badRequest(`The signal is ${TOO_DEEP}.`));
};

/** As in Heat, null counts as an empty map. Throws 400 for anything else but a map. */
export const parseSignalDetails = (body: Json): JsonObject => {
  const details = body ?? {};
  if (isJsonObject(details)) return details;
  throw new Refusal("not_valid", badRequest("The signal is not a JSON object."));
};

export const parseSignal = (bodyText: string): JsonObject =>
  parseSignalDetails(parseSignalJson(bodyText));
