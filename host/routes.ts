/** Which handler answers which path of the host. */
import { handler as apiHandler } from "#functions/api/handler.ts";
import { handler as metadataHandler } from "#functions/metadata/handler.ts";
import { handler as signalHandler } from "#functions/signal/handler.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { answerDev, DEV_PREFIX } from "./dev-routes.ts";
import type { HostPorts } from "./host-ports.ts";
import type { Answer } from "./http-server.ts";
import { lambdaContext, proxyEvent } from "./lambda-events.ts";
import type { AnswerWriting } from "./step-routes.ts";
import { takeUpload, UPLOAD_PATH } from "./uploads.ts";

const REQUEST_MS_MAX = 30_000;
const SIGNAL = /^\/v1\/agent\/signal\/([^/]+)$/;
const METADATA = /^\/v1\/agent\/metadata\/([^/]+)$/;

export const answerRequests = (host: HostPorts, answerWriting: AnswerWriting): Answer => {
  const handlers = proxyHandlers(host.ports);
  return async (request) => {
    const { path } = request;
    if (path.startsWith(DEV_PREFIX)) return answerDev(host, answerWriting, request);
    const derivedId = SIGNAL.exec(path)?.[1];
    if (derivedId !== undefined) {
      return handlers.signal({ ...request, pathParameters: { derived_id: derivedId } });
    }
    const serverId = METADATA.exec(path)?.[1];
    if (serverId !== undefined) {
      return handlers.metadata({ ...request, pathParameters: { server_id: serverId } });
    }
    const uploadId = UPLOAD_PATH.exec(path)?.[1];
    if (uploadId !== undefined) {
      return takeUpload(host.ports, host.database.uploads, uploadId, request);
    }
    return handlers.api({ ...request, pathParameters: {} });
  };
};

const proxyHandlers = (ports: Ports) => {
  const api = apiHandler(ports);
  const signal = signalHandler(ports);
  const metadata = metadataHandler(ports);
  type Request = Parameters<typeof proxyEvent>[0];
  return {
    api: (request: Request) => api(proxyEvent(request), lambdaContext("api", REQUEST_MS_MAX)),
    signal: (request: Request) =>
      signal(proxyEvent(request), lambdaContext("signal", REQUEST_MS_MAX)),
    metadata: (request: Request) =>
      metadata(proxyEvent(request), lambdaContext("metadata", REQUEST_MS_MAX)),
  };
};
