import type { APIGatewayProxyResult } from "aws-lambda";
import { handler as apiHandler } from "#functions/api/handler.ts";
import { anybody, knownCaller } from "#functions/api/identity.ts";
import { isConsolePath, isForConsole, openConsole } from "#functions/console/answer-console.ts";
import { proxyResult } from "#functions/http-event.ts";
import { logger } from "#functions/logger.ts";
import { handler as metadataHandler } from "#functions/metadata/handler.ts";
import { handler as signalHandler } from "#functions/signal/handler.ts";
import { answerError, faultResponse } from "#lib/api/errors.ts";
import { LIVENESS_ROUTE, OUT_OF_SERVICE, READINESS_ROUTE } from "#lib/api/health.ts";
import { jsonResponse } from "#lib/api/http.ts";
import { RetryLater } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { loggableId } from "#lib/software-config/agent-requests/agent-target.ts";
import { admitSignal, SIGNAL_METHODS } from "#lib/software-config/signals/receive-signal.ts";
import type { AnswerWriting } from "#lib/stepping/step-routes.ts";
import { eventsWritten, listsEvents } from "./change-feed.ts";
import { consoleFiles } from "./console-files.ts";
import { answerDev, DEV_PREFIX } from "./dev-routes.ts";
import type { Answer, SignedHead, Signer } from "./exchange.ts";
import type { HostPorts } from "./host-ports.ts";
import { answerIdentity, isIdentityPath } from "./identity/answer-identity.ts";
import { grantsForAnybody, grantsOfTokens } from "./identity/grants.ts";
import { type HttpRequest, lambdaContext, proxyEvent } from "./lambda-events.ts";
import { signerOfUpload, takeUpload, UPLOAD_PATH } from "./uploads.ts";

/**
 * No gateway ends a request here. A request that is refused for its time may still take effect, so
 * a late answer is better than a refusal. SILENT_MS_MAX of http-server.ts must be larger.
 * @limit a request's time
 * @beyond 503 with `Retry-After`. What a write has begun may still take effect
 */
const REQUEST_MS_MAX = 120_000;
/**
 * Paths that are answered while the storage has failed. `hearth doctor` uses them to report the
 * fault.
 */
const WITHOUT_STORAGE = /^\/(v1\/[^/]+\/(_health|build_info))?$/;
const SIGNAL = /^\/v1\/agent\/signal\/([^/]+)$/;
const METADATA = /^\/v1\/agent\/metadata\/([^/]+)$/;

/** These URLs are signed, so they need no token. */
export const isSignedPath = (path: string): boolean =>
  [SIGNAL, METADATA, UPLOAD_PATH].some((route) => route.test(path));

/** The handlers of these paths ignore the body, so the host does not read it. */
export const hasNoBody = (path: string): boolean =>
  METADATA.test(path) || (isOpenPath(path) && !isIdentityPath(path));

/**
 * Checks the signature of a signed URL from the request's head. If it is wrong, the body is not
 * read, so strangers cannot use the memory that is reserved for the results of agents.
 */
export const signerOf =
  ({ ports, storage }: Pick<HostPorts, "ports" | "storage">) =>
  async (request: SignedHead): Promise<Signer> => {
    const derivedId = SIGNAL.exec(request.path)?.[1];
    const uploadId = UPLOAD_PATH.exec(request.path)?.[1];
    if (uploadId !== undefined) return signerOfUpload(ports, uploadId, request);
    if (derivedId === undefined) return { kind: "not signed" };
    try {
      storage.refuseIfFailed();
      const { method, search } = request;
      const signed = { method, query: Object.fromEntries(search) };
      const { tenant } = await admitSignal(ports, derivedId, signed);
      return { kind: "signed", tenant };
    } catch (error) {
      const result = await failureAnswer(error);
      const fields = { derivedId: loggableId(derivedId), status: result.statusCode };
      logger.info("refused a signal", fields);
      const headers = { ...result.headers, Allow: SIGNAL_METHODS.join(",") };
      return { kind: "refused", result: { ...result, headers } };
    }
  };

export const LIVENESS_PATH = `/${LIVENESS_ROUTE}`;

export const READINESS_PATH = `/${READINESS_ROUTE}`;

const VERSION_PATHS: readonly string[] = ["/", "/v1", "/v1/"];

/** Paths that need no token. The Keystone imitation checks its callers itself. */
export const isOpenPath = (path: string): boolean =>
  VERSION_PATHS.includes(path) ||
  path === LIVENESS_PATH ||
  path === READINESS_PATH ||
  isConsolePath(path) ||
  isIdentityPath(path);

export const whyNotReady = ({ storage }: Pick<HostPorts, "storage">, isDraining: boolean) => {
  if (storage.faults().length > 0) return OUT_OF_SERVICE;
  return isDraining ? "draining" : null;
};

/** These paths need no token: while the storage has failed, no token could be looked up. */
const answerOpenly = (method: string, status: number, document: JsonObject) =>
  proxyResult(
    method === "GET" || method === "HEAD"
      ? jsonResponse(status, document, { "Cache-Control": "no-store" })
      : faultResponse(405, "HTTPMethodNotAllowed", undefined, { Allow: "GET,HEAD" }),
  );

const answerReadiness = (host: HostPorts, method: string, isDraining: boolean) => {
  const reason = whyNotReady(host, isDraining);
  return reason === null
    ? answerOpenly(method, 200, { ready: true })
    : answerOpenly(method, 503, { ready: false, reason });
};

/** The faults themselves contain file names, so strangers get only one word. */
const answerLiveness = ({ storage }: HostPorts, method: string) => {
  const fault = storage.faults().length === 0 ? {} : { storage: OUT_OF_SERVICE };
  return answerOpenly(method, 200, { alive: true, ...fault });
};

export const answerRequests = (
  host: HostPorts,
  answerWriting: AnswerWriting,
  withTokens = false,
  isDraining = () => false,
): Answer => {
  const answerServed = answerFromStorage(host, answerWriting, withTokens);
  const answerConsole = openConsole(consoleFiles);
  return async (request) => {
    try {
      if (request.path === LIVENESS_PATH) return answerLiveness(host, request.method);
      if (request.path === READINESS_PATH)
        return answerReadiness(host, request.method, isDraining());
      if (isForConsole(request)) return answerConsole(request);
      if (!WITHOUT_STORAGE.test(request.path)) host.storage.refuseIfFailed();
      return await answerServed(request);
    } catch (error) {
      return failureAnswer(error);
    }
  };
};

/**
 * RetryLater is not logged. While the storage has failed, a line for each request would fill the
 * disk.
 */
export const failureAnswer = async (error: unknown): Promise<APIGatewayProxyResult> => {
  const unexpected = (): void => {
    if (!(error instanceof RetryLater)) logger.error("a request failed", error);
  };
  return proxyResult(answerError(error, unexpected));
};

const answerFromStorage = (
  host: HostPorts,
  answerWriting: AnswerWriting,
  withTokens: boolean,
): Answer => {
  const handlers = proxyHandlers(host, withTokens);
  const { ports, database } = host;
  const { publicUrl, clock } = ports;
  const findGrant = withTokens ? grantsOfTokens(database.tokens, clock) : grantsForAnybody;
  const identity = { publicUrl, clock, findGrant };
  return async (request) => {
    const { path } = request;
    if (isIdentityPath(path)) return proxyResult(await answerIdentity(identity, request));
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
      return takeUpload(ports, database.uploads, uploadId, request);
    }
    if (listsEvents(request.method, path)) await eventsWritten(database.changes);
    return handlers.api({ ...request, pathParameters: {} });
  };
};

const proxyHandlers = ({ ports, settings, limit }: HostPorts, withTokens: boolean) => {
  const identify = withTokens ? knownCaller({}) : anybody;
  const behindProxy =
    (name: string, handler: ReturnType<typeof apiHandler>) => (request: HttpRequest) =>
      handler(proxyEvent(request), lambdaContext(name, REQUEST_MS_MAX));
  return {
    api: behindProxy("api", apiHandler(ports, settings, identify, limit)),
    signal: behindProxy("signal", signalHandler(ports)),
    metadata: behindProxy("metadata", metadataHandler(ports)),
  };
};
