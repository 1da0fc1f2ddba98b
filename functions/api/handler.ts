/** Heat's REST API behind a REST proxy integration. */
import middy from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { boundedBody, stackBodyBytesMax } from "#functions/body-limits.ts";
import { proxyResult, queryOf } from "#functions/http-event.ts";
import { logger } from "#functions/logger.ts";
import { answer } from "#lib/api/errors.ts";
import { route } from "#lib/api/route.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { anybody, type Identify } from "./identity.ts";

export const handler = (ports: Ports, identify: Identify = anybody) =>
  middy(async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    const { httpMethod: method, path } = event;
    const unexpected = (error: unknown): void =>
      logger.error("a request failed", error, { method, path });
    const response = await answer(async () => {
      const { base, ...caller } = identify(event);
      const body = boundedBody(event, caller.path, stackBodyBytesMax(ports.templateBytesMax));
      // Links in answers lead back to where the caller came in.
      const reached = { ...ports, callersBase: base };
      return route(reached, { method, query: queryOf(event), body, ...caller }, unexpected);
    }, unexpected);
    logger.info("answered", { method, path, status: response.status });
    return proxyResult(response);
  });
