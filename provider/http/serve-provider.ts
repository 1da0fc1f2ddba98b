/** Serves a provider over the protocol: any module that `--plugin` takes becomes a server. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Provider } from "../provider.ts";
import { readProvider } from "../read-provider.ts";
import { answerRequest, type GivenReply, refusal, type Served } from "./answer-request.ts";
import { BODY_BYTES_MAX, REFUSALS, SECRET_CHARS_MIN } from "./protocol.ts";
import { SeenRequests } from "./seen-requests.ts";

export interface ListenerOptions {
  /** Of at least 32 characters. With several each is good, so that one can be replaced. */
  readonly secrets: readonly string[];
  /** What the address of the provider has after the port, such as /files. Absent: nothing. */
  readonly base?: string | undefined;
}

export interface ServeOptions extends ListenerOptions {
  /** Absent: 127.0.0.1. */
  readonly address?: string | undefined;
  /** 0 is a free one. */
  readonly port: number;
  /** Absent: plain HTTP, which Hearth takes from its own machine only. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
}

export interface ServedProvider {
  readonly url: string;
  /** Ends when the calls in hand have ended. */
  readonly close: () => Promise<void>;
}

const SERVER_FAULT = 500;
const BUSY_SECONDS = 1;

/** Null: it is too large. */
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

/** A provider may answer what is no JSON, such as a bigint. Hearth says then what it got. */
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

/** A variable that is not set gives undefined. */
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
      // The rest of a body that was not read would be taken for the next request.
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

/** Throws NoProvider, or what the system says about the address. */
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
