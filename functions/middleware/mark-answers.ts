import type { MiddlewareObj } from "@middy/core";
import type { APIGatewayProxyResult } from "aws-lambda";
import { type LogFields, logger } from "#functions/logger.ts";

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
