/**
 * Conditional reads (RFC 9110): a client that has the same answer already gets 304 without it. A
 * console that cannot have a stream of changes asks every few seconds.
 */
import { createHash } from "node:crypto";
import type { MiddlewareObj } from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { headerOf, proxyResult } from "#functions/http-event.ts";

const TAG_CHARS = 22;

const tagOf = (body: string): string =>
  `"${createHash("sha256").update(body).digest("base64url").slice(0, TAG_CHARS)}"`;

/** A proxy may have made the tag weak, which changes nothing here. */
const tagsIn = (header: string | undefined): readonly string[] =>
  (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));

/** Answers may hold secrets, so no cache on the way and no disk keeps them. */
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
