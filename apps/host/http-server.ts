/**
 * A listener for HTTP, or for HTTPS if it has a certificate. Slow and silent clients are
 * disconnected. A stop waits only for requests that are being answered.
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
  const requests = new Set<IncomingMessage>();
  const listener: RequestListener = (request, response) => {
    requests.add(request);
    response.once("close", () => {
      requests.delete(request);
      answers.end(response);
    });
    given.promise
      .then((exchange) => handleRequest(exchange, request, response, () => answers.begin(response)))
      .catch(() => response.destroy());
  };
  const server = create(tls, optionsOf(limits), listener);
  // Without these listeners Node would ask for each body, or refuse it, before the guard sees the
  // request.
  server.on("checkContinue", listener).on("checkExpectation", listener);
  server.maxConnections = limits.connectionsMax;
  server.timeout = SILENT_MS_MAX;
  const sockets = trackSockets(server);
  recordUnreadable(server, given.promise, requests);
  await listen(server, address, port);
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
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};

const listen = (server: Server | TlsServer, address: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, () => {
      server.off("error", reject);
      resolve();
    });
  });

const trackSockets = (server: Server | TlsServer): ReadonlySet<Socket> => {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
};

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

/** Logs requests that Node cannot parse and failed handshakes, which never reach the guard. */
const recordUnreadable = (
  server: Server | TlsServer,
  given: Promise<Exchange>,
  requests: ReadonlySet<IncomingMessage>,
): void => {
  const isAnswering = (socket: Socket): boolean =>
    [...requests].some((request) => request.complete && request.socket === socket);
  const record = (socket: Socket, status: number | null, reason: string): void => {
    const remote = plainAddress(socket.remoteAddress ?? "");
    const entry = { at: Date.now(), remote, method: null, path: null, project: null, token: null };
    void given.then(({ log, listener }) => log.add({ ...entry, listener, status, reason }));
  };
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    const [status, reason] = STATUS_LINES[error.code ?? ""] ?? [400, "Bad Request"];
    record(socket, status, "unreadable");
    // A second answer on this connection would be read as a part of the first one. An answer before
    // the first would be read as the answer to the request that is being carried out. So the
    // connection is closed without one.
    if (socket.bytesWritten > 0 || isAnswering(socket)) socket.destroy();
    else socket.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\n\r\n`);
  });
  // Without this listener Node closes the connection and nothing is logged.
  server.on("connect", ({ socket }: IncomingMessage) => {
    record(socket, METHOD_NOT_ALLOWED, "unreadable");
    // Node no longer handles this socket, so its errors and its end must be handled here.
    socket.on("error", () => undefined);
    socket.end(
      `HTTP/1.1 ${METHOD_NOT_ALLOWED} Method Not Allowed\r\nConnection: close\r\n\r\n`,
      () => socket.destroy(),
    );
  });
  server.on("tlsClientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code !== "ECONNRESET") record(socket, null, "tls");
  });
};
