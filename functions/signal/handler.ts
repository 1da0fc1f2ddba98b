/**
 * Where agents report: PUT or POST to a signed URL. Expected failures are answered below 500,
 * because agents do not repeat a POST.
 */
import middy from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { bodyText, proxyResult, singleQueryOf } from "#functions/http-event.ts";
import { ENDS_ITSELF, inTime } from "#functions/in-time.ts";
import { logger } from "#functions/logger.ts";
import { answer } from "#lib/api/errors.ts";
import { emptyResponse, jsonResponse } from "#lib/api/http.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { loggableId } from "#lib/software-config/agent-requests/agent-target.ts";
import { receiveSignal, SIGNAL_METHODS } from "#lib/software-config/signals/receive-signal.ts";

/** Every answer has it, though only a 405 needs it. */
const Allow = SIGNAL_METHODS.join(",");

export const handler = (ports: Ports) =>
  middy(async (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> => {
    const derivedId = event.pathParameters?.["derived_id"] ?? "";
    const loggedId = loggableId(derivedId);
    const response = await answer(
      async () => {
        const { httpMethod: method } = event;
        const request = { method, query: singleQueryOf(event), body: bodyText(event) ?? "" };
        const received = () => receiveSignal(ports, derivedId, request);
        const { status, document } = await inTime(context, received);
        return document === undefined ? emptyResponse(status) : jsonResponse(status, document);
      },
      (error) => logger.error("a signal failed", error, { derivedId: loggedId }),
    );
    logger.info("received a signal", { derivedId: loggedId, status: response.status });
    const headers = { ...response.headers, Allow, "Cache-Control": "no-store" };
    return proxyResult({ ...response, headers });
  }, ENDS_ITSELF);
