/** What surrounds each request to the API: its log line, its headers, 304 and its errors. */
import { createHash } from "node:crypto";
import type { MiddlewareObj } from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { REQUEST_ID_HEADER, requestIdOf } from "#lib/api/errors.ts";
import { type LimitRequests, limitRequests, type TenantRates } from "#lib/api/request-limit.ts";
import type { Clock, Throttle } from "#lib/ports/ports.ts";
import { loggableId } from "#lib/software-config/agent-requests/agent-target.ts";
import { headerOf, proxyResult } from "../http-event.ts";
import { logger } from "../logger.ts";
import { addHeaders, answerErrors, logAnswers } from "../middleware/answers.ts";

const TAG_CHARS = 22;

const tagOf = (body: string): string =>
  `"${createHash("sha256").update(body).digest("base64url").slice(0, TAG_CHARS)}"`;

const tagsIn = (header: string | undefined): readonly string[] =>
  (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));

/**
 * Conditional reads (RFC 9110): a client that already has the same answer gets 304 without it. A
 * console without a stream of changes polls every few seconds. Answers may contain secrets, so no
 * cache may store them.
 */
export const conditionalRead = (): MiddlewareObj<
  Pick<APIGatewayProxyEvent, "httpMethod" | "headers">,
  APIGatewayProxyResult
> => ({
  after: (request) => {
    const { event, response } = request;
    if (event.httpMethod !== "GET" || response?.statusCode !== 200 || response.body === "") return;
    const tag = tagOf(response.body);
    const marks = { ETag: tag, "Cache-Control": "no-store" };
    request.response = tagsIn(headerOf(event.headers, "If-None-Match")).includes(tag)
      ? proxyResult({ status: 304, headers: marks, body: null })
      : { ...response, headers: { ...response.headers, ...marks } };
  },
});

const FAILURE = "a request failed";

const idOf = ({ requestContext }: APIGatewayProxyEvent): string =>
  requestIdOf(requestContext.requestId);

const loggedOf = ({ httpMethod: method, path }: APIGatewayProxyEvent) => ({
  method,
  path: loggablePath(path),
});

export const logFailure = (event: APIGatewayProxyEvent, error: unknown): void =>
  logger.error(FAILURE, error, loggedOf(event));

export const AROUND_REQUESTS: MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult>[] = [
  logAnswers("answered", (event) => ({ ...loggedOf(event), request: idOf(event) })),
  addHeaders((event) => ({ [REQUEST_ID_HEADER]: idOf(event) })),
  conditionalRead(),
  answerErrors(FAILURE, loggedOf),
];

const CHARS_MAX = 512;
const AGENT = /^\/v1\/agent\/(metadata|signal|upload)\/(.*)$/s;
const ESCAPED_QUERY = /\?|%3f|%25|=|&/i;

/**
 * A signed route's path ends with an id, or with a text that may be a whole signed URL. Only a
 * valid id is logged.
 */
export const loggablePath = (path: string): string => {
  const [, kind, id = ""] = AGENT.exec(path) ?? [];
  if (kind !== undefined) return `/v1/agent/${kind}/${loggableId(id)}`;
  const [written = ""] = path.split(ESCAPED_QUERY, 1);
  const kept = written.slice(0, CHARS_MAX);
  return kept === path ? path : `${kept} (cut)`;
};

export const loggedLimit = (throttle: Throttle, clock: Clock, rates: TenantRates): LimitRequests =>
  limitRequests(throttle, clock, rates, {
    reached: (tenant, rate) => logger.info("a tenant has reached its limit", { tenant, rate }),
    uncounted: (tenant, error) => logger.error("a request was not counted", error, { tenant }),
  });
