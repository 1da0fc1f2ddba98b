/** Turns an error into an HTTP answer: the error document of Heat's fault middleware. */
import { ProviderAway, RequestError, RetryLater, SeveralErrors } from "#lib/errors.ts";
import { type ApiResponse, jsonResponse } from "./http.ts";

export const FAULTS: Readonly<Record<number, readonly [title: string, explanation: string]>> = {
  400: [
    "Bad Request",
    "The server could not comply with the request since it is either malformed or otherwise incorrect.",
  ],
  401: [
    "Unauthorized",
    "This server could not verify that you are authorized to access the document you requested.",
  ],
  403: ["Forbidden", "Access was denied to this resource."],
  404: ["Not Found", "The resource could not be found."],
  405: ["Method Not Allowed", "The method specified is not allowed for this resource."],
  409: ["Conflict", "There was a conflict when trying to complete your request."],
  410: ["Gone", "This resource is no longer available. No forwarding address is given."],
  413: ["Request Entity Too Large", "The body of your request was too large for this server."],
  429: ["Too Many Requests", "The client has sent too many requests to the server."],
  500: [
    "Internal Server Error",
    "The server has either erred or is incapable of performing the requested operation.",
  ],
  503: [
    "Service Unavailable",
    "The server is currently unavailable. Please try again at a later time.",
  ],
};
const INTERNAL = ["Internal Server Error", "The server has failed."] as const;

export const faultResponse = (
  status: number,
  type: string,
  message?: string,
  headers: Readonly<Record<string, string>> = {},
  others: readonly RequestError[] = [],
): ApiResponse => {
  const [title, explanation] = FAULTS[status] ?? INTERNAL;
  const first = { type, message: message ?? explanation, traceback: null };
  const error = others.length === 0 ? first : { ...first, others: others.map(otherError) };
  return jsonResponse(status, { code: status, title, explanation, error }, headers);
};

/**
 * An error quotes what it refuses, which may be megabytes.
 * @limit text of an error
 * @beyond the middle is left out
 */
const MESSAGE_CHARACTERS_MAX = 65_536;

const shortMessage = (message: string): string => {
  if (message.length <= MESSAGE_CHARACTERS_MAX) return message;
  const half = MESSAGE_CHARACTERS_MAX / 2;
  return `${message.slice(0, half - " ... ".length)} ... ${message.slice(-half)}`;
};

const otherError = ({ code, message }: RequestError) => ({
  type: code,
  message: shortMessage(message),
});

/** Only errors for the client show their text. Any other text may contain secrets. */
const errorResponse = (error: unknown): ApiResponse => {
  if (error instanceof RequestError) {
    const others = error instanceof SeveralErrors ? error.others : [];
    return faultResponse(error.status, error.code, shortMessage(error.message), {}, others);
  }
  if (error instanceof RetryLater) {
    const text = error instanceof ProviderAway ? error.message : undefined;
    return faultResponse(503, "HTTPServiceUnavailable", text, {
      "Retry-After": String(Math.ceil(error.afterSeconds)),
    });
  }
  return faultResponse(500, "HTTPInternalServerError");
};

export const answerError = (error: unknown, unexpected: (error: unknown) => void): ApiResponse => {
  const response = errorResponse(error);
  if (response.status >= 500) unexpected(error);
  return response;
};

/**
 * OpenStack's services give each answer an id, which clients show beside an error. The log has the
 * same id.
 */
export const REQUEST_ID_HEADER = "x-openstack-request-id";

export const requestIdOf = (id: string): string => `req-${id}`;
