/**
 * Limits of request bodies by route, for the functions and for the embedded host. All of them are
 * below those of API Gateway (10 MB) and Lambda (6 MB for the event, where Base64 adds a third). So
 * Hearth itself answers, in Heat's form, before it parses anything.
 */
import type { APIGatewayProxyEvent } from "aws-lambda";
import { TEMPLATE_BYTES_MAX } from "#lib/engine/stacks/target-source.ts";
import { RequestError } from "#lib/errors.ts";
import { UPLOAD_BYTES_MAX } from "#lib/ports/ports.ts";

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
 * Signals are missing here. A body above a signal's own limit is still read, and recorded against
 * its deployment.
 */
const OTHERS: readonly { readonly path: RegExp; readonly bytesMax: number }[] = [
  { path: /^\/v1\/[^/]+\/stacks\/[^/]+\/[^/]+\/actions\/?$/, bytesMax: ACTION_BODY_BYTES_MAX },
  // The embedded host's imitation of Keystone.
  { path: /^\/v3(\/|$)/, bytesMax: ACTION_BODY_BYTES_MAX },
  // Only the embedded host receives this body: on AWS it is sent to S3.
  { path: /^\/v1\/agent\/upload\/[^/]+$/, bytesMax: UPLOAD_BYTES_MAX },
];

/**
 * `stackBytesMax` differs only on an embedded host whose operator allows larger templates. `path`
 * has no query string.
 */
export const bodyBytesMaxOf = (path: string, stackBytesMax = STACK_BODY_BYTES_MAX): number =>
  OTHERS.find((one) => one.path.test(path))?.bytesMax ?? stackBytesMax;

export const stackBodyBytesMax = (templateBytesMax: number = TEMPLATE_BYTES_MAX): number =>
  STACK_BODY_BYTES_MAX - TEMPLATE_BYTES_MAX + templateBytesMax;

export const bodyTooLarge = (bytesMax: number): RequestError =>
  new RequestError(
    "RequestEntityTooLarge",
    413,
    `The body of the request is larger than ${bytesMax} bytes.`,
  );

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
