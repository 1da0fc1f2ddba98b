import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Provider } from "../provider.ts";
import { readProvider } from "../read-provider.ts";
import {
  answerRequest,
  type GivenReply,
  refusal,
  SeenRequests,
  type Served,
} from "./answer-request.ts";
import { BODY_BYTES_MAX, REFUSALS, SECRET_CHARS_MIN } from "./protocol.ts";

export interface ListenerOptions {
  /** At least 32 characters each. All of them are accepted, so that one can be replaced. */
  readonly secrets: readonly string[];
  /** The path after the port in the provider's address, such as /files. The default is none. */
  readonly base?: string | undefined;
}

export interface ServeOptions extends ListenerOptions {
  readonly address?: string | undefined;
  readonly port: number;
  /** Without `tls` the server speaks plain HTTP, which Hearth accepts only from its own machine. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
}

export interface ServedProvider {
  readonly url: string;
  readonly close: () => Promise<void>;
}

const SERVER_FAULT = 500;
const BUSY_SECONDS = 1;

/** @returns null when the body is larger than BODY_BYTES_MAX */
const bodyOf = async (request: IncomingMessage): Promise<Uint8Array | null> => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > BODY_BYTES_MAX) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
};

const textOf = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
};

const headerIn =
  ({ headers }: IncomingMessage) =>
  (name: string): string =>
    String(headers[name] ?? "");

const reply = async (
  served: Served,
  request: IncomingMessage,
  base: string,
  signal: AbortSignal,
): Promise<GivenReply> => {
  const { method = "", url = "" } = request;
  const body = await bodyOf(request);
  if (body === null) return refusal("too_large");
  if (!url.startsWith(`${base}/`)) return refusal("not_found");
  const path = url.slice(base.length);
  return answerRequest(served, { method, path, header: headerIn(request), body, signal });
};

const checkSecrets = (secrets: readonly unknown[]): void => {
  if (secrets.length === 0) throw new Error("secrets: must have at least one secret");
  for (const [at, secret] of secrets.entries()) {
    if (typeof secret === "string" && secret.length >= SECRET_CHARS_MIN) continue;
    throw new Error(`secrets.${at}: must be a text of at least ${SECRET_CHARS_MIN} characters`);
  }
};

/** For a server of your own. Throws NoProvider. */
export const providerListener = (
  provider: Provider,
  { secrets, base = "" }: ListenerOptions,
): RequestListener => {
  checkSecrets(secrets);
  const seen = new SeenRequests();
  const served: Served = { provider: readProvider(provider), secrets, seen, now: Date.now };
  return (request, response) => {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const send = ({ status, value }: GivenReply): void => {
      // Otherwise the unread rest of the body would be parsed as the next request.
      if (status === REFUSALS.too_large) response.setHeader("connection", "close");
      if (status === REFUSALS.busy || status === REFUSALS.too_many) {
        response.setHeader("retry-after", BUSY_SECONDS);
      }
      response.writeHead(status, { "content-type": "application/json" }).end(textOf(value));
    };
    reply(served, request, base, gone.signal).then(send, () =>
      send({ status: SERVER_FAULT, value: { error: "fault" } }),
    );
  };
};

const listen = (server: Server, port: number, address: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, () => {
      const bound = server.address();
      resolve(typeof bound === "object" && bound !== null ? bound.port : port);
    });
  });

/** Throws NoProvider, or the system's error if it cannot listen on the address. */
export const serveProvider = async (
  provider: Provider,
  { port, address = "127.0.0.1", tls, ...options }: ServeOptions,
): Promise<ServedProvider> => {
  const listener = providerListener(provider, options);
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  const bound = await listen(server, port, address);
  const host = address.includes(":") ? `[${address}]` : address;
  return {
    url: `http${tls ? "s" : ""}://${host}:${bound}${options.base ?? ""}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeIdleConnections();
      }),
  };
};
