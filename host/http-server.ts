/**
 * A listener for HTTP, or for HTTPS if it has a certificate. Slow and silent clients lose their
 * connection, and a stop waits only for requests that are being answered.
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
  /** For the head of a request, and for all of it. The largest body is one of some megabytes. */
  readonly headersMsMax: number;
  readonly requestMsMax: number;
  /** How often both are looked at. */
  readonly lookMs: number;
  /** Of one listener. */
  readonly connectionsMax: number;
}

export const CLIENT_LIMITS: ClientLimits = {
  headersMsMax: 20_000,
  requestMsMax: 120_000,
  lookMs: 5_000,
  connectionsMax: 4_096,
};

const TLS = { handshakeTimeout: 10_000, minVersion: "TLSv1.2" } as const;
/** Longer than agents pause between polls, so that they need no handshake for each. */
const KEEP_ALIVE_MS = 35_000;
/** A client that reads no answer: above the longest time that an answer takes to be made. */
const SILENT_MS_MAX = 150_000;
const HEADERS_BYTES_MAX = 16 * 1024;
/** How long a stop waits for answers in progress. */
const ANSWERS_MS_MAX = 2_500;

const optionsOf = ({ headersMsMax, requestMsMax, lookMs }: ClientLimits): ServerOptions => ({
  headersTimeout: headersMsMax,
  requestTimeout: requestMsMax,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: lookMs,
  maxHeaderSize: HEADERS_BYTES_MAX,
  // The guard refuses it, so that the refusal is recorded and has Heat's form.
  requireHostHeader: false,
  // NODE_OPTIONS could choose otherwise for the whole process.
  insecureHTTPParser: false,
});

export interface HttpServer {
  readonly port: number;
  /** Requests wait until this is called, once: what answers them may need the port. */
  serveWith(exchange: Exchange): void;
  useCertificate(material: TlsMaterial): void;
  /**
   * Accepts no new connections. Resolves when the current requests are answered or have run out of
   * time, and all connections are closed.
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

/** Throws the system's error if the address cannot be used. */
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
  // Otherwise Node asks for the body of each request, or refuses it, before the guard sees it.
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

/** Below TLS, so that connections in the middle of a handshake are among them. */
const trackSockets = (server: Server | TlsServer): ReadonlySet<Socket> => {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
};

/** Counts answers that are being made or sent. A half-sent request is none. */
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
    /** Resolves when there is none, or after the limit. */
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

/** Requests that Node cannot parse, and handshakes that fail, never reach the guard. */
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
    // After an answer on this connection, another would be taken for its continuation. Before one
    // it would be taken for the answer to a request that is being carried out.
    if (socket.bytesWritten > 0 || isAnswering(socket)) socket.destroy();
    else socket.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\n\r\n`);
  });
  // Without this, Node closes the connection and nobody hears of it.
  server.on("connect", ({ socket }: IncomingMessage) => {
    record(socket, METHOD_NOT_ALLOWED, "unreadable");
    // Node has let go of the socket: its errors and its end are left to us.
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
