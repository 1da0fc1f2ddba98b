/** Heat's REST API behind a REST proxy integration. */
import middy from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { boundedBody, stackBodyBytesMax } from "#functions/body-limits.ts";
import { proxyResult, queryOf } from "#functions/http-event.ts";
import { ENDS_ITSELF, inTime } from "#functions/in-time.ts";
import { loggablePath } from "#functions/loggable-path.ts";
import { logger } from "#functions/logger.ts";
import type { ApiSettings } from "#lib/api/context.ts";
import { answer } from "#lib/api/errors.ts";
import { requestIdOf, withRequestId } from "#lib/api/request-id.ts";
import { type LimitRequests, unlimited } from "#lib/api/request-limit.ts";
import { route } from "#lib/api/route.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { anybody, type Identify, tenantOf } from "./identity.ts";
import { ifChanged } from "./unchanged.ts";

export const handler = (
  ports: Ports,
  settings: ApiSettings,
  identify: Identify = anybody,
  limit: LimitRequests = unlimited,
) =>
  middy(async (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> => {
    const { httpMethod: method, path } = event;
    const logged = { method, path: loggablePath(path) };
    const unexpected = (error: unknown): void => logger.error("a request failed", error, logged);
    const response = await answer(async () => {
      const caller = identify(event);
      const tenant = tenantOf(caller);
      const refusal = tenant === null ? null : await limit(tenant);
      if (refusal !== null) return refusal;
      const body = boundedBody(event, caller.path, stackBodyBytesMax(settings.templateBytesMax));
      const request = { method, query: queryOf(event), body, ...caller };
      return inTime(context, () => route(ports, settings, request, unexpected));
    }, unexpected);
    const id = requestIdOf(event.requestContext.requestId);
    logger.info("answered", { ...logged, status: response.status, request: id });
    return proxyResult(withRequestId(ifChanged(event, response), id));
  }, ENDS_ITSELF);
