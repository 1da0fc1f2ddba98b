/**
 * Receives agents' signals: PUT or POST to a signed URL. Expected failures are answered below 500,
 * because agents do not repeat a POST.
 */
import middy from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { bodyText, proxyResult, singleQueryOf } from "#functions/http-event.ts";
import { emptyResponse, jsonResponse } from "#lib/api/http.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { loggableId } from "#lib/software-config/agent-requests/agent-target.ts";
import { receiveSignal, SIGNAL_METHODS } from "#lib/software-config/signals/receive-signal.ts";
import { addHeaders, answerErrors, IN_TIME, logAnswers } from "../middleware/answers.ts";

const HEADERS = { Allow: SIGNAL_METHODS.join(","), "Cache-Control": "no-store" };

const idOf = ({ pathParameters }: APIGatewayProxyEvent): string =>
  pathParameters?.["derived_id"] ?? "";
const loggedOf = (event: APIGatewayProxyEvent) => ({ derivedId: loggableId(idOf(event)) });

export const handler = (ports: Ports) =>
  middy(IN_TIME)
    .use(logAnswers("received a signal", loggedOf))
    .use(addHeaders(() => HEADERS))
    .use(answerErrors("a signal failed", loggedOf))
    .handler(async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
      const { httpMethod: method } = event;
      const request = { method, query: singleQueryOf(event), body: bodyText(event) ?? "" };
      const { status, document } = await receiveSignal(ports, idOf(event), request);
      return proxyResult(
        document === undefined ? emptyResponse(status) : jsonResponse(status, document),
      );
    });
