/**
 * The answer to a poll, whatever brought it here. An unchanged document costs a 304 without a body.
 */
import type { Context } from "aws-lambda";
import { inTime } from "#functions/in-time.ts";
import { logger } from "#functions/logger.ts";
import { answer } from "#lib/api/errors.ts";
import { type ApiResponse, emptyResponse, jsonResponse } from "#lib/api/http.ts";
import { PROBE_ID, serveProbe } from "#lib/engine/health-probe.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { loggableId } from "#lib/software-config/agent-requests/agent-target.ts";
import type { PollMemory } from "#lib/software-config/diagnosis/poll-memory.ts";
import { METADATA_METHODS } from "#lib/software-config/document/read-document.ts";
import { type PollRequest, serveMetadata } from "#lib/software-config/document/serve-metadata.ts";

/** Every answer has it, though only a 405 needs it. */
const Allow = METADATA_METHODS.join(",");

export interface Answering {
  readonly ports: Ports;
  readonly memory: PollMemory | null;
  readonly context: Context;
}

/** A log line costs more than a poll that changes nothing, so only refused polls get one. */
export const answerPoll = async (
  { ports, memory, context }: Answering,
  serverId: string,
  poll: PollRequest,
): Promise<ApiResponse> => {
  const response = await answer(
    async () => {
      if (serverId === PROBE_ID) return jsonResponse(200, serveProbe(ports, poll.query));
      const { document, etag, isUnchanged } = await inTime(context, () =>
        serveMetadata(ports, serverId, poll, memory),
      );
      const tag = etag === null ? {} : { ETag: etag };
      if (isUnchanged) return emptyResponse(304, tag);
      const headers = { "Content-Type": "application/json", ...tag };
      return { status: 200, headers, body: document && JSON.stringify(document) };
    },
    (error) => logger.error("a metadata poll failed", error, { serverId: loggableId(serverId) }),
  );
  const { status } = response;
  if (status >= 400) logger.info("refused a poll", { serverId: loggableId(serverId), status });
  // The document has the inputs of deployments, and its URL is a credential.
  const headers = { ...response.headers, Allow, "Cache-Control": "no-store" };
  return { ...response, headers };
};
