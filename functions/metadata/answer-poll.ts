import type { MiddlewareObj } from "@middy/core";
import type { APIGatewayProxyResult } from "aws-lambda";
import { proxyResult } from "#functions/http-event.ts";
import { emptyResponse, jsonResponse } from "#lib/api/http.ts";
import { PROBE_ID, serveProbe } from "#lib/engine/health-probe.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { loggableId } from "#lib/software-config/agent-requests/agent-target.ts";
import type { PollMemory } from "#lib/software-config/diagnosis/poll-memory.ts";
import { METADATA_METHODS } from "#lib/software-config/document/read-document.ts";
import { type PollRequest, serveMetadata } from "#lib/software-config/document/serve-metadata.ts";
import { addHeaders, answerErrors, logAnswers } from "../middleware/answers.ts";

/**
 * Headers of every answer, though only a 405 needs `Allow`. No cache may store the document: it
 * contains the inputs of deployments, and its URL is a credential.
 */
const HEADERS = { Allow: METADATA_METHODS.join(","), "Cache-Control": "no-store" };

/** A log line costs more than a poll that changes nothing, so only refused polls are logged. */
const LOGGED_STATUS_MIN = 400;

export const aroundPolls = <Event>(
  serverIdOf: (event: Event) => string,
): MiddlewareObj<Event, APIGatewayProxyResult>[] => {
  const loggedOf = (event: Event) => ({ serverId: loggableId(serverIdOf(event)) });
  return [
    logAnswers("refused a poll", loggedOf, LOGGED_STATUS_MIN),
    addHeaders(() => HEADERS),
    answerErrors("a metadata poll failed", loggedOf),
  ];
};

export const answerPoll = async (
  ports: Ports,
  memory: PollMemory | null,
  serverId: string,
  poll: PollRequest,
): Promise<APIGatewayProxyResult> => {
  if (serverId === PROBE_ID) return proxyResult(jsonResponse(200, serveProbe(ports, poll.query)));
  const { document, etag, isUnchanged } = await serveMetadata(ports, serverId, poll, memory);
  const tag = etag === null ? {} : { ETag: etag };
  if (isUnchanged) return proxyResult(emptyResponse(304, tag));
  const headers = { "Content-Type": "application/json", ...tag };
  return proxyResult({ status: 200, headers, body: document && JSON.stringify(document) });
};
