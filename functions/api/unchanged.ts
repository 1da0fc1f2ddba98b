/**
 * Conditional reads (RFC 9110): a client that has the same answer already gets 304 without it. A
 * console that cannot have a stream of changes asks every few seconds.
 */
import { createHash } from "node:crypto";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { headerOf } from "#functions/http-event.ts";
import type { ApiResponse } from "#lib/api/http.ts";
import { mergedMaps } from "#lib/json-map.ts";

const TAG_CHARS = 22;

const tagOf = (body: string): string =>
  `"${createHash("sha256").update(body).digest("base64url").slice(0, TAG_CHARS)}"`;

/** A proxy may have made the tag weak, which changes nothing here. */
const tagsIn = (header: string | undefined): readonly string[] =>
  (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));

/** Answers may hold secrets, so no cache on the way and no disk keeps them. */
export const ifChanged = (
  { httpMethod, headers }: Pick<APIGatewayProxyEvent, "httpMethod" | "headers">,
  response: ApiResponse,
): ApiResponse => {
  const { status, body } = response;
  if (httpMethod !== "GET" || status !== 200 || body === null) return response;
  const tag = tagOf(body);
  const marks = { ETag: tag, "Cache-Control": "no-store" };
  if (tagsIn(headerOf(headers, "If-None-Match")).includes(tag)) {
    return { status: 304, headers: marks, body: null };
  }
  return { ...response, headers: mergedMaps(response.headers, marks) };
};
