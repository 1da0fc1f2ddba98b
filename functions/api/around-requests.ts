import type { MiddlewareObj } from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { loggablePath } from "#functions/loggable-path.ts";
import { logger } from "#functions/logger.ts";
import { answerErrors } from "#functions/middleware/answer-errors.ts";
import { conditionalRead } from "#functions/middleware/conditional-read.ts";
import { addHeaders, logAnswers } from "#functions/middleware/mark-answers.ts";
import { REQUEST_ID_HEADER, requestIdOf } from "#lib/api/request-id.ts";

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
