/**
 * A proxy between a server and Hearth that passes polls on, and treats signals as firewalls, other
 * proxies and wrong names do. It rewrites the addresses in documents, so that all requests pass
 * through it.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

export type SignalWay =
  | "open"
  | "closed"
  /** The query string is cut at its first `&`, as in a shell command with an unquoted URL. */
  | "without_query";

export interface Gateway {
  through(text: string): string;
  signals(way: SignalWay): void;
  /** Sets the origin of signal URLs in later documents. Null means the gateway's own origin. */
  nameSignals(origin: string | null): void;
  close(): Promise<void>;
}

const SIGNAL_PATH = "/v1/agent/signal/";
/** On AWS the path can begin with the API's stage. */
const SIGNAL_URL = /https?:\/\/[^/"\s]+([^"?\s]*\/v1\/agent\/signal\/)/g;
const PASSED_ON = ["content-type", "accept", "user-agent", "if-none-match"] as const;
const PASSED_BACK = ["content-type", "etag", "allow"] as const;

const listen = async (server: Server): Promise<string> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return `http://127.0.0.1:${address.port}`;
};

const close = async (server: Server): Promise<void> => {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
};

export const openGateway = async (url: string): Promise<Gateway> => {
  const hearth = new URL(url).origin;
  const state: { way: SignalWay; signalOrigin: string | null } = {
    way: "open",
    signalOrigin: null,
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.destroy());
  });
  const own = await listen(server);

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const isSignal = request.url?.includes(SIGNAL_PATH) === true;
    if (isSignal && state.way === "closed") {
      request.destroy();
      return;
    }
    const asked = `${hearth}${request.url ?? "/"}`;
    const isCut = isSignal && state.way === "without_query";
    const passed = await passOn(request, isCut ? (asked.split("&")[0] ?? asked) : asked);
    const text = await passed.text();
    response.writeHead(passed.status, headersOf(passed.headers, PASSED_BACK));
    response.end(rewritten(text));
  };

  const rewritten = (document: string): string =>
    document.replaceAll(SIGNAL_URL, `${state.signalOrigin ?? own}$1`).replaceAll(hearth, own);

  return {
    through: (text) => text.replaceAll(hearth, own),
    signals: (way) => {
      state.way = way;
    },
    nameSignals: (origin) => {
      state.signalOrigin = origin;
    },
    close: () => close(server),
  };
};

const passOn = async (request: IncomingMessage, url: string): Promise<Response> => {
  const { method = "GET" } = request;
  const given = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === "string") given.set(name, value);
  }
  const headers = headersOf(given, PASSED_ON);
  const body = await buffer(request);
  return fetch(url, {
    method,
    headers,
    body: body.length > 0 ? new Uint8Array(body) : null,
  });
};

const headersOf = (headers: Headers, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );

export const openOtherSite = async () => {
  const server = createServer((_request, response) => response.writeHead(404).end());
  return { origin: await listen(server), close: () => close(server) };
};
