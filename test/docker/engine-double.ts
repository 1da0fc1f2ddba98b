/**
 * A small Docker in this process, on a socket of its own. It imitates what real engines do with
 * repeated calls, which names are exclusive, and Podman's states that need a removal.
 * engine-suite.ts compares it with the real engines.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { containerRoutes } from "./double-containers.ts";
import { networkRoutes } from "./double-networks.ts";
import { type DoubleAnswer, type DoubleState, emptyState, type Route } from "./double-state.ts";
import { imageRoutes, volumeRoutes } from "./double-volumes.ts";

export interface EngineDouble {
  readonly state: DoubleState;
  readonly socketPath: string;
  stop(): Promise<void>;
}

const ROUTES: readonly Route[] = [
  ...containerRoutes,
  ...networkRoutes,
  ...volumeRoutes,
  ...imageRoutes,
  { method: "GET", path: /^\/_ping$/, answer: () => ({ status: 200, json: "OK" }) },
];

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const type = request.headers["content-type"];
  const bytes = Buffer.concat(chunks);
  return type === "application/json" ? JSON.parse(bytes.toString()) : bytes;
};

const answerTo = async (state: DoubleState, request: IncomingMessage): Promise<DoubleAnswer> => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://docker");
  const body = await bodyOf(request);
  for (const { method, path, answer } of ROUTES) {
    const match = method === request.method ? path.exec(decodeURIComponent(pathname)) : null;
    if (match !== null) return answer({ state, name: match[1] ?? "", query: searchParams, body });
  }
  return { status: 404, json: { message: "page not found" } };
};

const send = (response: ServerResponse, { status, json, tar }: DoubleAnswer): void => {
  response.writeHead(status, {
    "content-type": tar === undefined ? "application/json" : "application/x-tar",
  });
  response.end(tar ?? (json === undefined ? "" : JSON.stringify(json)));
};

export const startEngineDouble = async (
  socketPath: string,
  kind: DoubleState["kind"] = "docker",
): Promise<EngineDouble> => {
  const state = emptyState(kind);
  const server = createServer((request, response) => {
    answerTo(state, request).then(
      (answer) => send(response, answer),
      (error: unknown) => send(response, { status: 500, json: { message: String(error) } }),
    );
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return {
    state,
    socketPath,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
