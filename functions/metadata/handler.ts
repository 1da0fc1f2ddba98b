/** Where agents poll for their server's metadata document. An unchanged one costs 304 and no body. */
import { createHash } from "node:crypto";
import middy from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { headerOf, proxyResult, singleQueryOf } from "#functions/http-event.ts";
import { logger } from "#functions/logger.ts";
import { answer } from "#lib/api/errors.ts";
import { emptyResponse } from "#lib/api/http.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { serveMetadata } from "#lib/software-config/serve-metadata.ts";

export const handler = (ports: Ports) =>
  middy(async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    const serverId = event.pathParameters?.["server_id"] ?? "";
    const response = await answer(
      async () => {
        const document = await serveMetadata(ports, serverId, singleQueryOf(event));
        const body = JSON.stringify(document);
        const ETag = `"${createHash("sha256").update(body).digest("base64url")}"`;
        if (headerOf(event, "If-None-Match") === ETag) return emptyResponse(304, { ETag });
        const headers = { "Content-Type": "application/json", ETag };
        return { status: 200, headers, body: event.httpMethod === "HEAD" ? null : body };
      },
      (error) => logger.error("a metadata poll failed", error, { serverId }),
    );
    return proxyResult(response);
  });
