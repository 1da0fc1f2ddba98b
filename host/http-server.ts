/**
 * A small HTTP server on the loopback interface. It hands each request to `answer` as plain data.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { APIGatewayProxyResult } from "aws-lambda";
import { bodyBytesMaxOf, bodyTooLarge } from "#functions/body-limits.ts";
import { proxyResult } from "#functions/http-event.ts";
import { faultResponse } from "#lib/api/errors.ts";
import type { HttpRequest } from "./lambda-events.ts";

/** There is no authentication, so only this machine may connect. */
const LOOPBACK = "127.0.0.1";

export type Answer = (
  request: Omit<HttpRequest, "pathParameters">,
) => Promise<APIGatewayProxyResult>;

export interface HttpServer {
  readonly port: number;
  /** Requests wait until this is called, once: what answers them may need the port. */
  answerWith(answer: Answer): void;
  /** Accepts no new connections. Resolves when the current requests are answered. */
  stop(): Promise<void>;
}

/** `port` 0 takes a free one. */
export const startHttpServer = async (
  port: number,
  stackBytesMax?: number,
): Promise<HttpServer> => {
  const given = Promise.withResolvers<Answer>();
  const answer: Answer = async (request) => (await given.promise)(request);
  const server = createServer((request, response) => {
    handle(request, response, answer, stackBytesMax).catch(() => response.destroy());
  });
  await listen(server, port);
  const address = server.address();
  const actual = typeof address === "object" && address !== null ? address.port : port;
  const stop = (): Promise<void> => {
    // A request that still waits for `answerWith` would keep the server open.
    given.resolve(async () => proxyResult(faultResponse(503, "HTTPServiceUnavailable")));
    return close(server);
  };
  return { port: actual, answerWith: given.resolve, stop };
};

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, LOOPBACK, () => {
      server.off("error", reject);
      resolve();
    });
  });

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });

const LOCAL_NAMES = new Set(["127.0.0.1", "localhost", "[::1]"]);

const isLocal = (url: string): boolean =>
  URL.canParse(url) && LOCAL_NAMES.has(new URL(url).hostname);

/**
 * Without authentication the loopback interface is the only guard, and a browser on this machine
 * gets past it. So we refuse pages of other origins, and foreign names that resolve to this
 * address.
 */
const isForeign = ({ headers }: IncomingMessage): boolean =>
  !isLocal(`http://${headers.host ?? ""}`) ||
  (headers.origin !== undefined && !isLocal(headers.origin));

const handle = async (
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  stackBytesMax: number | undefined,
): Promise<void> => {
  if (isForeign(request)) {
    send(response, proxyResult(faultResponse(403, "Forbidden")), request.method);
    return;
  }
  const url = request.url ?? "/";
  const [path = "/", search = ""] = splitOnce(url, "?");
  const bytesMax = bodyBytesMaxOf(path, stackBytesMax);
  const body = await readBody(request, bytesMax);
  if (body === "too large") {
    const { status, code, message } = bodyTooLarge(bytesMax);
    send(response, proxyResult(faultResponse(status, code, message)), request.method);
    // The rest of the body is not read, so the connection cannot be reused.
    response.once("finish", () => request.destroy());
    return;
  }
  const result = await answer({
    method: request.method ?? "GET",
    path,
    search: new URLSearchParams(search),
    headers: singleHeaders(request),
    body: body.text,
  });
  send(response, result, request.method);
};

const splitOnce = (text: string, separator: string): readonly string[] => {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
};

const singleHeaders = (request: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
    ),
  );

const readBody = async (
  request: IncomingMessage,
  bytesMax: number,
): Promise<"too large" | { readonly text: string | null }> => {
  if (Number(request.headers["content-length"] ?? 0) > bytesMax) return "too large";
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= bytesMax) return;
      request.pause();
      request.removeAllListeners("data");
      resolve("too large");
    });
    request.on("end", () => {
      resolve({ text: bytes === 0 ? null : Buffer.concat(chunks).toString("utf8") });
    });
    request.on("error", reject);
  });
};

const send = (
  response: ServerResponse,
  result: APIGatewayProxyResult,
  method: string | undefined,
): void => {
  const { statusCode, body } = result;
  for (const [name, value] of Object.entries(result.headers ?? {})) {
    response.setHeader(name, String(value));
  }
  const bare = method === "HEAD" || statusCode === 204 || statusCode === 304;
  if (statusCode === 413) response.setHeader("Connection", "close");
  if (!bare) response.setHeader("Content-Length", Buffer.byteLength(body));
  response.writeHead(statusCode);
  response.end(bare ? undefined : body);
};
