import type { MiddlewareObj } from "@middy/core";
import type { APIGatewayProxyResult } from "aws-lambda";
import { answerError } from "#lib/api/errors.ts";
import { RetryLater } from "#lib/errors.ts";
import { proxyResult } from "../http-event.ts";
import { type LogFields, logger } from "../logger.ts";

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

type AnswerMiddleware<Event> = MiddlewareObj<Event, APIGatewayProxyResult>;

/** Runs for each answer, also for that of an error. Put it before `answerErrors` in the list. */
const ofEachAnswer = <Event>(
  change: (answer: APIGatewayProxyResult, event: Event) => APIGatewayProxyResult,
): AnswerMiddleware<Event> => {
  const run: AnswerMiddleware<Event>["after"] = (request) => {
    if (request.response) request.response = change(request.response, request.event);
  };
  return { after: run, onError: run };
};

export const addHeaders = <Event>(
  headersOf: (event: Event) => Readonly<Record<string, string>>,
): AnswerMiddleware<Event> =>
  ofEachAnswer((answer, event) => ({
    ...answer,
    headers: { ...answer.headers, ...headersOf(event) },
  }));

export const logAnswers = <Event>(
  text: string,
  fieldsOf: (event: Event) => LogFields,
  statusMin = 0,
): AnswerMiddleware<Event> =>
  ofEachAnswer((answer, event) => {
    const { statusCode: status } = answer;
    if (status >= statusMin) logger.info(text, { ...fieldsOf(event), status });
    return answer;
  });

/** The answer itself needs time, so a function answers this long before its end. */
const ANSWER_MS = 250;
const AFTER_SECONDS = 5;

/**
 * Lets an HTTP function answer before its time is over: 503 with Retry-After. Without it, middy's
 * own timeout error would be answered as a 500. The work itself is not stopped. On an embedded
 * host, which goes on running, it may still take effect.
 */
export const IN_TIME = {
  timeoutEarlyInMillis: ANSWER_MS,
  timeoutEarlyResponse: (): never => {
    throw new RetryLater("the time of the request is over", AFTER_SECONDS);
  },
} as const;
