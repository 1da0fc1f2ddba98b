/**
 * How large a request's body may be, by route, for the functions and for the embedded host. All
 * limits lie below those of API Gateway (10 MB) and Lambda (6 MB for the event, where base64 adds a
 * third). So Hearth itself answers, in Heat's words, before it parses anything.
 */
import type { APIGatewayProxyEvent } from "aws-lambda";
import { TEMPLATE_BYTES_MAX } from "#lib/engine/template-request.ts";
import { RequestError } from "#lib/errors.ts";
import { UPLOAD_BYTES_MAX } from "#lib/ports/uploads.ts";

/**
 * A template of at most 512 KiB, with its files and environments.
 * @limit body of a request with a template, files and environments
 * @beyond 413 before anything is parsed. `--template-bytes-max` of an embedded host raises it
 */
export const STACK_BODY_BYTES_MAX = 4 * 1024 * 1024;
/**
 * An action is one word.
 * @limit body of an action
 * @beyond 413
 */
export const ACTION_BODY_BYTES_MAX = 16 * 1024;

/**
 * A signal has no limit here. A body above its own limit is still read and recorded against its
 * deployment.
 */
const OTHERS: readonly { readonly path: RegExp; readonly bytesMax: number }[] = [
  { path: /^\/v1\/[^/]+\/stacks\/[^/]+\/[^/]+\/actions\/?$/, bytesMax: ACTION_BODY_BYTES_MAX },
  // Only for the embedded host.
  { path: /^\/v3(\/|$)/, bytesMax: ACTION_BODY_BYTES_MAX },
  // Only for the embedded host: on AWS this body goes to S3.
  { path: /^\/v1\/agent\/upload\/[^/]+$/, bytesMax: UPLOAD_BYTES_MAX },
];

/**
 * `path` is as the router sees it, without the query string. `stackBytesMax` differs only on an
 * embedded host whose operator allows larger templates.
 */
export const bodyBytesMaxOf = (path: string, stackBytesMax = STACK_BODY_BYTES_MAX): number =>
  OTHERS.find((one) => one.path.test(path))?.bytesMax ?? stackBytesMax;

/** Files and environments keep their share. */
export const stackBodyBytesMax = (templateBytesMax: number = TEMPLATE_BYTES_MAX): number =>
  STACK_BODY_BYTES_MAX - TEMPLATE_BYTES_MAX + templateBytesMax;

export const bodyTooLarge = (bytesMax: number): RequestError =>
  new RequestError(
    "RequestEntityTooLarge",
    413,
    `The body of the request is larger than ${bytesMax} bytes.`,
  );

/** The event's body as text; null if there is none. Throws 413. */
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
