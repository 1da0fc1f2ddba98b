/**
 * For a gateway that calls no authorizers (setting `authorizer`): calls the authorizer's handler
 * before the API's, and refuses requests as API Gateway does.
 */
import type { MiddlewareObj } from "@middy/core";
import type {
  APIGatewayAuthorizerResult,
  APIGatewayProxyEvent,
  APIGatewayProxyResult,
  APIGatewayRequestAuthorizerEvent,
  Context,
} from "aws-lambda";
import { OPEN_PATHS } from "#functions/api/identity.ts";
import { UNAUTHORIZED } from "#functions/authorizer/authorize.ts";
import { proxyResult } from "#functions/http-event.ts";
import { logger } from "#functions/logger.ts";
import { faultResponse } from "#lib/api/errors.ts";

type Authorizer = (
  event: APIGatewayRequestAuthorizerEvent,
  context: Context,
) => Promise<APIGatewayAuthorizerResult>;

const withAuthorizer = (
  event: APIGatewayProxyEvent,
  authorizer: APIGatewayProxyEvent["requestContext"]["authorizer"],
): APIGatewayProxyEvent => ({
  ...event,
  requestContext: { ...event.requestContext, authorizer },
});

const askedBy = (event: APIGatewayProxyEvent): APIGatewayRequestAuthorizerEvent => {
  const { requestContext, httpMethod, path } = event;
  const { accountId, apiId, stage } = requestContext;
  return {
    ...event,
    type: "REQUEST",
    methodArn: `arn:aws:execute-api::${accountId}:${apiId}/${stage}/${httpMethod}${path}`,
    requestContext: { ...requestContext, authorizer: undefined },
  };
};

const refusal = (error: unknown): APIGatewayProxyResult => {
  if (error instanceof Error && error.message === UNAUTHORIZED)
    return proxyResult(faultResponse(401, "HTTPUnauthorized"));
  logger.error("the authorizer failed", error);
  return proxyResult(faultResponse(500, "HTTPInternalServerError"));
};

/**
 * A caller without a credential can use only the open paths. An authorizer result that the event
 * already contains is not trusted.
 */
export const askAuthorizer = (
  authorizer: Authorizer,
): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> => ({
  before: async (request) => {
    const { event, context } = request;
    if (OPEN_PATHS.includes(event.path)) {
      request.event = withAuthorizer(event, undefined);
      return undefined;
    }
    let answer: APIGatewayAuthorizerResult;
    try {
      answer = await authorizer(askedBy(event), context);
    } catch (error) {
      return refusal(error);
    }
    const isAllowed = answer.policyDocument.Statement.every(({ Effect }) => Effect === "Allow");
    if (!isAllowed) return proxyResult(faultResponse(403, "Forbidden"));
    const { principalId } = answer;
    request.event = withAuthorizer(event, { ...answer.context, principalId });
    return undefined;
  },
});
