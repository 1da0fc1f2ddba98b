/**
 * Conditional reads (RFC 9110): a client that already has the same answer gets 304 without it. A
 * console without a stream of changes polls every few seconds.
 */
import { createHash } from "node:crypto";
import type { MiddlewareObj } from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { headerOf, proxyResult } from "#functions/http-event.ts";

const TAG_CHARS = 22;

const tagOf = (body: string): string =>
  `"${createHash("sha256").update(body).digest("base64url").slice(0, TAG_CHARS)}"`;

const tagsIn = (header: string | undefined): readonly string[] =>
  (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));

/** Answers may contain secrets, so no cache may store them. */
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
