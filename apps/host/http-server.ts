/**
 * A listener for HTTP, or for HTTPS if it has a certificate. Slow and silent clients are
 * disconnected, and the sooner the more of them there are (connections.ts). A stop waits only for
 * requests that are being answered.
 */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from "node:http";
import { createServer as createTlsServer, Server as TlsServer } from "node:https";
import type { Socket } from "node:net";
import { type ListenAddress, plainAddress } from "./address.ts";
import { type Connections, trackConnections } from "./connections.ts";
import { type Exchange, handleRequest } from "./exchange.ts";
import type { TlsMaterial } from "./tls-files.ts";

export interface ClientLimits {
  /** Limits for the head and for the whole request, whose body has at most some megabytes. */
  readonly headersMsMax: number;
  readonly requestMsMax: number;
  readonly lookMs: number;
  readonly connectionsMax: number;
}

export const CLIENT_LIMITS: ClientLimits = {
  headersMsMax: 20_000,
  requestMsMax: 120_000,
  lookMs: 5_000,
  connectionsMax: 4_096,
};

const TLS = { handshakeTimeout: 10_000, minVersion: "TLSv1.2" } as const;
/** Longer than the pause between an agent's polls, so that polls reuse their connection. */
const KEEP_ALIVE_MS = 35_000;
/**
 * Longer than the longest time that an answer takes, so only clients that do not read are
 * disconnected.
 */
const SILENT_MS_MAX = 150_000;
const HEADERS_BYTES_MAX = 16 * 1024;
const ANSWERS_MS_MAX = 2_500;
/** A client may still be sending, and the connection would be reset before it reads the refusal. */
const REFUSED_MS_MAX = 1_000;

const optionsOf = ({ headersMsMax, requestMsMax, lookMs }: ClientLimits): ServerOptions => ({
  headersTimeout: headersMsMax,
  requestTimeout: requestMsMax,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: lookMs,
  maxHeaderSize: HEADERS_BYTES_MAX,
  // The guard refuses requests without `Host`, so that the refusal is logged and has Heat's form.
  requireHostHeader: false,
  // NODE_OPTIONS could enable the lenient parser for the whole process.
  insecureHTTPParser: false,
});

export interface HttpServer {
  readonly port: number;
  serveWith(exchange: Exchange): void;
  useCertificate(material: TlsMaterial): void;
  /**
   * Accepts no new connections. Resolves when the current requests are answered or have timed out,
   * and all connections are closed.
   */
  stop(): Promise<void>;
}

const create = (
  tls: TlsMaterial | null,
  options: ServerOptions,
  listener: RequestListener,
): Server | TlsServer =>
  tls === null
    ? createServer(options, listener)
    : createTlsServer({ ...options, ...TLS, ...tls }, listener);

export const startHttpServer = async (
  { address, port }: ListenAddress,
  tls: TlsMaterial | null,
  limits = CLIENT_LIMITS,
): Promise<HttpServer> => {
  const given = Promise.withResolvers<Exchange>();
  const answers = countedAnswers();
  const listener: RequestListener = (request, response) => {
    connections.begin(response);
    response.once("close", () => answers.end(response));
    given.promise
      .then((exchange) => handleRequest(exchange, request, response, () => answers.begin(response)))
      .catch(() => response.destroy());
  };
  const server = create(tls, optionsOf(limits), listener);
  // Without these listeners Node would ask for each body, or refuse it, before the guard sees the
  // request.
  server.on("checkContinue", listener).on("checkExpectation", listener);
  server.timeout = SILENT_MS_MAX;
  const record = recorderFor(given.promise);
  const connections = trackConnections(server, limits.connectionsMax);
  refuseUnreadable(server, record, connections);
  await listen(server, { address, port }, limits.connectionsMax);
  const bound = server.address();
  return {
    port: typeof bound === "object" && bound !== null ? bound.port : port,
    serveWith: given.resolve,
    useCertificate: (material) => {
      if (server instanceof TlsServer) server.setSecureContext(material);
    },
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await answers.none(ANSWERS_MS_MAX);
      connections.destroyAll();
      await closed;
    },
  };
};

/** More connections than these wait for Node at once, as its default of 511 would refuse them. */
const listen = (
  server: Server | TlsServer,
  { address, port }: ListenAddress,
  backlog: number,
): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: address, backlog }, () => {
      server.off("error", reject);
      resolve();
    });
  });

/**
 * Counts answers that are being made or sent. A request that has not fully arrived does not count.
 */
const countedAnswers = () => {
  const open = new Set<object>();
  let whenNone: (() => void) | null = null;
  return {
    begin: (response: object): void => {
      open.add(response);
    },
    end: (response: object): void => {
      open.delete(response);
      if (open.size === 0) whenNone?.();
    },
    none: (limitMs: number): Promise<void> =>
      new Promise((resolve) => {
        if (open.size === 0) return resolve();
        const timer = setTimeout(resolve, limitMs);
        whenNone = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
};

const METHOD_NOT_ALLOWED = 405;
const STATUS_LINES: Readonly<Record<string, readonly [status: number, reason: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout"],
};

type RecordRefusal = (socket: Socket, status: number | null, reason: string) => void;

/** Requests that never reach the guard have neither a method nor a path. */
const recorderFor =
  (given: Promise<Exchange>): RecordRefusal =>
  (socket, status, reason) => {
    const remote = plainAddress(socket.remoteAddress ?? "");
    const entry = { at: Date.now(), remote, method: null, path: null, project: null, token: null };
    void given.then(({ log, listener }) => log.add({ ...entry, listener, status, reason }));
  };

/** Refuses and logs requests that Node cannot parse, and logs failed handshakes. */
const refuseUnreadable = (
  server: Server | TlsServer,
  record: RecordRefusal,
  connections: Connections,
): void => {
  const refuse = (socket: Socket, status: number, reason: string): void => {
    socket.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\n\r\n`);
    setTimeout(() => socket.destroy(), REFUSED_MS_MAX).unref();
  };
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    const [status, reason] = STATUS_LINES[error.code ?? ""] ?? [400, "Bad Request"];
    record(socket, status, "unreadable");
    // A second answer on this connection would be read as a part of the first one. An answer before
    // the first would be read as the answer to the request that is being carried out. So the
    // connection is closed without one.
    if (socket.bytesWritten > 0 || connections.isAnswering(socket)) socket.destroy();
    else refuse(socket, status, reason);
  });
  // Without this listener Node closes the connection and nothing is logged.
  server.on("connect", ({ socket }: IncomingMessage) => {
    record(socket, METHOD_NOT_ALLOWED, "unreadable");
    // Node no longer handles this socket, so its errors must be handled here.
    socket.on("error", () => undefined);
    refuse(socket, METHOD_NOT_ALLOWED, "Method Not Allowed");
  });
  server.on("tlsClientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code !== "ECONNRESET") record(socket, null, "tls");
  });
};
