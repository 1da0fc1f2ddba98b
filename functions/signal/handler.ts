/** Where agents report: PUT or POST to a signed URL. Everything expected is answered below 500, because agents do not repeat a POST. */
import middy from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { bodyText, proxyResult, singleQueryOf } from "#functions/http-event.ts";
import { logger } from "#functions/logger.ts";
import { answer } from "#lib/api/errors.ts";
import { jsonResponse } from "#lib/api/http.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { receiveSignal } from "#lib/software-config/receive-signal.ts";

export const handler = (ports: Ports) =>
  middy(async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    const derivedId = event.pathParameters?.["derived_id"] ?? "";
    const response = await answer(
      async () => {
        const body = bodyText(event) ?? "";
        const result = await receiveSignal(ports, derivedId, singleQueryOf(event), body);
        return jsonResponse(result.status, null);
      },
      (error) => logger.error("a signal failed", error, { derivedId }),
    );
    logger.info("received a signal", { derivedId, status: response.status });
    return proxyResult(response);
  });
