import type { MiddlewareObj } from "@middy/core";
import type { APIGatewayProxyResult } from "aws-lambda";
import { proxyResult } from "#functions/http-event.ts";
import { type LogFields, logger } from "#functions/logger.ts";
import { answerError } from "#lib/api/errors.ts";

export const answerErrors = <Event>(
  failure: string,
  fieldsOf: (event: Event) => LogFields,
): MiddlewareObj<Event, APIGatewayProxyResult> => ({
  onError: (request) => {
    const { error, event } = request;
    const unexpected = (): void => logger.error(failure, error, fieldsOf(event));
    request.response = proxyResult(answerError(error, unexpected));
  },
});
