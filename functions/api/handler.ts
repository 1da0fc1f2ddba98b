/** Heat's REST API behind a REST proxy integration. */
import middy from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { authorizedTenant, bodyText, proxyResult, queryOf } from "#functions/http-event.ts";
import { logger } from "#functions/logger.ts";
import { route } from "#lib/api/route.ts";
import type { Ports } from "#lib/ports/ports.ts";

export const handler = (ports: Ports) =>
  middy(async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    const { httpMethod: method, path } = event;
    const request = {
      ...{ method, path, query: queryOf(event), body: bodyText(event) },
      ...authorizedTenant(event),
    };
    const response = await route(ports, request, (error) =>
      logger.error("a request failed", error, { method, path }),
    );
    logger.info("answered", { method, path, status: response.status });
    return proxyResult(response);
  });
