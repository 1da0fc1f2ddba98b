/**
 * Compresses or refuses large answers. Lambda fails an answer that is too large: the client would
 * get a 500 without text, and an alarm would go off. So a large answer is compressed for clients
 * that accept gzip, as all OpenStack clients do. If it is still too large, Hearth refuses the
 * request and says what to ask for instead.
 */
import { gzipSync } from "node:zlib";
import type { MiddlewareObj } from "@middy/core";
import type { APIGatewayProxyResult } from "aws-lambda";
import { type Headers, headerOf, proxyResult } from "#functions/http-event.ts";
import { logger } from "#functions/logger.ts";
import { faultResponse } from "#lib/api/errors.ts";

/**
 * Lambda's limit for the whole answer as JSON, where each quote of the body counts twice.
 * @limit an answer. With `Accept-Encoding: gzip`, which the OpenStack clients and `hearth` send,
 * that is tens of thousands of resources or events. Without it is some 6,000
 * @beyond 400 `RequestLimitExceeded`; lists have pages (`limit`, `marker`)
 */
export const ANSWER_BYTES_MAX = 6 * 1024 * 1024;
/** Compressing a shorter answer would save less than the header costs. */
const GZIP_CHARS_MIN = 500;
/** The most bytes that one UTF-16 unit needs in JSON. */
const BYTES_PER_UNIT_MAX = 6;

const fits = (result: APIGatewayProxyResult): boolean =>
  (result.body.length + JSON.stringify(result.headers ?? {}).length) * BYTES_PER_UNIT_MAX <
    ANSWER_BYTES_MAX || Buffer.byteLength(JSON.stringify(result)) <= ANSWER_BYTES_MAX;

/**
 * Accepts `gzip`, unless its weight is 0. API Gateway decodes an answer to bytes only if the
 * request has an Accept header.
 */
const takesGzip = (headers: Headers): boolean =>
  headerOf(headers, "Accept") !== undefined &&
  (headerOf(headers, "Accept-Encoding") ?? "")
    .split(",")
    .some((coding) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)|$)/i.test(coding));

const compressed = (result: APIGatewayProxyResult): APIGatewayProxyResult => ({
  ...result,
  headers: { ...result.headers, "Content-Encoding": "gzip", Vary: "Accept-Encoding" },
  body: gzipSync(result.body).toString("base64"),
  isBase64Encoded: true,
});

const limited = (whole: APIGatewayProxyResult, headers: Headers): APIGatewayProxyResult => {
  const isWorthIt = whole.body.length >= GZIP_CHARS_MIN && takesGzip(headers);
  const result = isWorthIt ? compressed(whole) : whole;
  if (fits(result)) return result;
  logger.info("an answer is too large", { characters: whole.body.length });
  const message = `Request limit exceeded: the answer is larger than ${ANSWER_BYTES_MAX} bytes. Accept gzip, or ask for less: lists take limit and marker.`;
  return proxyResult(faultResponse(400, "RequestLimitExceeded", message));
};

/** A function URL's traffic is paid by the byte, so behind it even small answers are compressed. */
export const answerLimit = (
  compresses: "all answers" | "large answers" = "large answers",
): MiddlewareObj<{ readonly headers: Headers }, APIGatewayProxyResult> => ({
  after: (request) => {
    const { response, event } = request;
    if (!response || (compresses === "large answers" && fits(response))) return;
    request.response = limited(response, event.headers);
  },
});
