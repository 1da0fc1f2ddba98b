/**
 * Answers agents' polls for their server's metadata document behind a Lambda function URL, which
 * costs less than API Gateway. The function itself refuses requests without a valid signature.
 */
import middy from "@middy/core";
import type { APIGatewayProxyResult, LambdaFunctionURLEvent } from "aws-lambda";
import { headerOf, proxyResult } from "#functions/http-event.ts";
import { answerPoll, aroundPolls } from "#functions/metadata/answer-poll.ts";
import { answerLimit } from "#functions/middleware/answer-limit.ts";
import { faultResponse } from "#lib/api/errors.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { PollMemory } from "#lib/software-config/diagnosis/poll-memory.ts";
import { IN_TIME } from "../middleware/answers.ts";

const METADATA_PATH = /^\/v1\/agent\/metadata\/([^/]+)\/?$/;

const serverIdOf = ({ rawPath }: LambdaFunctionURLEvent): string =>
  METADATA_PATH.exec(rawPath)?.[1] ?? "";

/**
 * CloudFormation cannot tell a function its own URL. So `base` has placeholders, which each
 * request's host and id replace.
 */
export const handler = (ports: Ports, memory: PollMemory, base: string) =>
  middy(IN_TIME)
    .use(answerLimit("all answers"))
    .use(aroundPolls(serverIdOf))
    .handler(async (event: LambdaFunctionURLEvent): Promise<APIGatewayProxyResult> => {
      const { rawQueryString, headers, requestContext } = event;
      const { http, domainName, apiId } = requestContext;
      const serverId = serverIdOf(event);
      if (serverId === "") return proxyResult(faultResponse(404, "HTTPNotFound"));
      const pollUrl = base.replaceAll("{host}", domainName).replaceAll("{id}", apiId);
      return answerPoll({ ...ports, pollUrl }, memory, serverId, {
        method: http.method,
        query: Object.fromEntries(new URLSearchParams(rawQueryString)),
        ifNoneMatch: headerOf(headers, "If-None-Match"),
        sender: { address: http.sourceIp, agent: headerOf(headers, "User-Agent") ?? null },
      });
    });
