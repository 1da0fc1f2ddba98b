/**
 * For a gateway that calls no authorizers (setting `authorizer`): asks the authorizer's handler
 * before the API's, and refuses as API Gateway does.
 */
import type {
  APIGatewayAuthorizerResult,
  APIGatewayProxyEvent,
  APIGatewayProxyResult,
  APIGatewayRequestAuthorizerEvent,
} from "aws-lambda";
import { UNAUTHORIZED } from "#functions/authorizer/authorize.ts";
import type { LambdaEntry } from "#functions/aws/entry.ts";
import { proxyResult } from "#functions/http-event.ts";
import { logger } from "#functions/logger.ts";
import { faultResponse } from "#lib/api/errors.ts";
import { OPEN_PATHS } from "./identity.ts";

type Api = LambdaEntry<APIGatewayProxyEvent, APIGatewayProxyResult>;
type Authorizer = LambdaEntry<APIGatewayRequestAuthorizerEvent, APIGatewayAuthorizerResult>;

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

export const askingAuthorizer =
  (authorizer: Authorizer, api: Api): Api =>
  async (event, context) => {
    if (OPEN_PATHS.includes(event.path)) return api(withAuthorizer(event, undefined), context);
    let answer: APIGatewayAuthorizerResult;
    try {
      answer = await authorizer(askedBy(event), context);
    } catch (error) {
      return refusal(error);
    }
    const isAllowed = answer.policyDocument.Statement.every(({ Effect }) => Effect === "Allow");
    if (!isAllowed) return proxyResult(faultResponse(403, "Forbidden"));
    const { principalId } = answer;
    return api(withAuthorizer(event, { ...answer.context, principalId }), context);
  };
