/**
 * Where agents poll for their server's metadata document. An unchanged one costs a 304 without a
 * body.
 */
import middy from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { pollOf, proxyResult } from "#functions/http-event.ts";
import { logger } from "#functions/logger.ts";
import { answer } from "#lib/api/errors.ts";
import { emptyResponse, jsonResponse } from "#lib/api/http.ts";
import { PROBE_ID, serveProbe } from "#lib/engine/health-probe.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { loggableId } from "#lib/software-config/agent-requests/agent-target.ts";
import type { PollMemory } from "#lib/software-config/diagnosis/poll-memory.ts";
import { METADATA_METHODS, serveMetadata } from "#lib/software-config/document/serve-metadata.ts";

/** Every answer has it, though only a 405 needs it. */
const Allow = METADATA_METHODS.join(",");

export const handler = (ports: Ports, memory: PollMemory | null = null) =>
  middy(async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    const serverId = event.pathParameters?.["server_id"] ?? "";
    const response = await answer(
      async () => {
        const poll = pollOf(event);
        if (serverId === PROBE_ID) return jsonResponse(200, serveProbe(ports, poll.query));
        const served = await serveMetadata(ports, serverId, poll, memory);
        const { document, etag, isUnchanged } = served;
        const tag = etag === null ? {} : { ETag: etag };
        if (isUnchanged) return emptyResponse(304, tag);
        const headers = { "Content-Type": "application/json", ...tag };
        return { status: 200, headers, body: document && JSON.stringify(document) };
      },
      (error) => logger.error("a metadata poll failed", error, { serverId: loggableId(serverId) }),
    );
    const { status } = response;
    if (status >= 400) logger.info("refused a poll", { serverId: loggableId(serverId), status });
    return proxyResult({ ...response, headers: { ...response.headers, Allow } });
  });
