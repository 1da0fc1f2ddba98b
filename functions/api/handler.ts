import middy from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { boundedBody, stackBodyBytesMax } from "#functions/body-limits.ts";
import { proxyResult, queryOf } from "#functions/http-event.ts";
import type { ApiSettings } from "#lib/api/context.ts";
import { type LimitRequests, unlimited } from "#lib/api/request-limit.ts";
import { route } from "#lib/api/route.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { IN_TIME } from "../middleware/answers.ts";
import { AROUND_REQUESTS, logFailure } from "./around-requests.ts";
import { anybody, type Identify, tenantOf } from "./identity.ts";

export const handler = (
  ports: Ports,
  settings: ApiSettings,
  identify: Identify = anybody,
  limit: LimitRequests = unlimited,
) =>
  middy(IN_TIME)
    .use(AROUND_REQUESTS)
    .handler(async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
      const caller = identify(event);
      const tenant = tenantOf(caller);
      const refusal = tenant === null ? null : await limit(tenant);
      if (refusal !== null) return proxyResult(refusal);
      const body = boundedBody(event, caller.path, stackBodyBytesMax(settings.templateBytesMax));
      const request = { method: event.httpMethod, query: queryOf(event), body, ...caller };
      const unexpected = (error: unknown): void => logFailure(event, error);
      return proxyResult(await route(ports, settings, request, unexpected));
    });
