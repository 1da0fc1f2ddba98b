/**
 * Where agents poll for their server's metadata document, behind a Lambda function URL: without the
 * gateway's price. The function itself refuses whatever has no valid signature.
 */
import middy from "@middy/core";
import type { Context, LambdaFunctionURLEvent } from "aws-lambda";
import { gzippedAnswer } from "#functions/aws/answer-limit.ts";
import { headerOf, proxyResult } from "#functions/http-event.ts";
import { ENDS_ITSELF } from "#functions/in-time.ts";
import { answerPoll } from "#functions/metadata/answer-poll.ts";
import { faultResponse } from "#lib/api/errors.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { PollMemory } from "#lib/software-config/diagnosis/poll-memory.ts";

const METADATA_PATH = /^\/v1\/agent\/metadata\/([^/]+)\/?$/;

/** The function cannot be told its own URL, so the base has placeholders for the request's. */
export const handler = (ports: Ports, memory: PollMemory, base: string) =>
  middy(async (event: LambdaFunctionURLEvent, context: Context) => {
    const { rawPath, rawQueryString, headers, requestContext } = event;
    const { http, domainName, apiId } = requestContext;
    const [, serverId] = METADATA_PATH.exec(rawPath) ?? [];
    if (serverId === undefined) return proxyResult(faultResponse(404, "HTTPNotFound"));
    const pollUrl = base.replaceAll("{host}", domainName).replaceAll("{id}", apiId);
    const answering = { ports: { ...ports, pollUrl }, memory, context };
    const response = await answerPoll(answering, serverId, {
      method: http.method,
      query: Object.fromEntries(new URLSearchParams(rawQueryString)),
      ifNoneMatch: headerOf(headers, "If-None-Match"),
      sender: { address: http.sourceIp, agent: headerOf(headers, "User-Agent") ?? null },
    });
    return gzippedAnswer(proxyResult(response), headers);
  }, ENDS_ITSELF);
