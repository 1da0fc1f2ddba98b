/**
 * How large the body of a request may be, by its route; the cloud's handlers and the embedded host ask here.
 * All lie below what API Gateway (10 MB) and Lambda (6 MB for the event, in which a body in base64 takes a
 * third more) let through, so that it is Hearth who answers, in Heat's words and before anything is parsed.
 */
import type { APIGatewayProxyEvent } from "aws-lambda";
import { TEMPLATE_BYTES_MAX } from "#lib/engine/template-request.ts";
import { RequestError } from "#lib/errors.ts";
import { UPLOAD_BYTES_MAX } from "#lib/ports/uploads.ts";

/** A template of at most 512 KiB, with its files and environments beside it. */
export const STACK_BODY_BYTES_MAX = 4 * 1024 * 1024;
/** An action is one word. */
export const ACTION_BODY_BYTES_MAX = 16 * 1024;

/** A signal has none here: what is above its own limit is read, so that it can be recorded against its deployment. */
const OTHERS: readonly { readonly path: RegExp; readonly bytesMax: number }[] = [
  { path: /^\/v1\/[^/]+\/stacks\/[^/]+\/[^/]+\/actions\/?$/, bytesMax: ACTION_BODY_BYTES_MAX },
  // The embedded host's alone: in the cloud such a body goes to S3.
  { path: /^\/v1\/agent\/upload\/[^/]+$/, bytesMax: UPLOAD_BYTES_MAX },
];

/** `path` as the router sees it, without the query string. */
/** `stackBytesMax` is another one where the operator allows larger templates, which only the embedded host can. */
export const bodyBytesMaxOf = (path: string, stackBytesMax = STACK_BODY_BYTES_MAX): number =>
  OTHERS.find((one) => one.path.test(path))?.bytesMax ?? stackBytesMax;

/** What stands beside the template keeps its room. */
export const stackBodyBytesMax = (templateBytesMax: number = TEMPLATE_BYTES_MAX): number =>
  STACK_BODY_BYTES_MAX - TEMPLATE_BYTES_MAX + templateBytesMax;

export const bodyTooLarge = (bytesMax: number): RequestError =>
  new RequestError(
    "RequestEntityTooLarge",
    413,
    `The body of the request is larger than ${bytesMax} bytes.`,
  );

/** The event's body as text; null where there is none. Throws 413. */
export const boundedBody = (
  { body, isBase64Encoded }: Pick<APIGatewayProxyEvent, "body" | "isBase64Encoded">,
  path: string,
  stackBytesMax?: number,
): string | null => {
  if (body === null) return null;
  const encoding = isBase64Encoded ? "base64" : "utf8";
  const bytesMax = bodyBytesMaxOf(path, stackBytesMax);
  if (Buffer.byteLength(body, encoding) > bytesMax) throw bodyTooLarge(bytesMax);
  return isBase64Encoded ? Buffer.from(body, encoding).toString("utf8") : body;
};
