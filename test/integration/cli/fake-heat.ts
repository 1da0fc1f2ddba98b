/** Heat's API for one stack, which takes the next state of a test's list with each read. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { z } from "zod";

/**
 * A state of the stack, and the events when it is first seen. `dropped` closes the connection
 * instead.
 */
export interface Frame {
  readonly status: string;
  readonly reason?: string;
  readonly events?: readonly (readonly [resource: string, status: string, reason?: string])[];
  readonly dropped?: true;
  readonly gone?: true;
}

export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly token: string | undefined;
  readonly body: unknown;
}

export interface FakeHeat {
  readonly endpoint: string;
  readonly requests: readonly Recorded[];
  /**
   * Answers for a request such as `GET /v1/demo/...` with its query: one after another, then the
   * last one again. Texts are sent unchanged.
   */
  answerWith(request: string, ...answers: readonly (object | string)[]): void;
  play(...frames: readonly Frame[]): void;
  asked(method: string, path: RegExp): Promise<void>;
  close(): Promise<void>;
}

const STACK_ID = "11111111-2222-3333-4444-555555555555";
const CANONICAL = `/v1/demo/stacks/web/${STACK_ID}`;
/** A client may use only the path of this URL. */
const ELSEWHERE = "http://elsewhere.invalid:1/stage";

const playing = () => {
  const events: object[] = [];
  let frames: Frame[] = [{ status: "CREATE_COMPLETE" }];
  let next: Frame[] = [];

  const enter = (frame: Frame): void => {
    for (const [name, status, reason = ""] of frame.events ?? []) {
      events.push({
        id: `event-${events.length}`,
        event_time: "2026-01-01T00:00:00Z",
        resource_name: name,
        physical_resource_id: name === "web" ? STACK_ID : `physical-${name}`,
        resource_status: status,
        resource_status_reason: reason,
      });
    }
  };
  const stack = ({ status, reason = "" }: Frame) => ({
    id: STACK_ID,
    stack_name: "web",
    stack_status: status,
    stack_status_reason: reason,
    outputs: [{ output_key: "url", output_value: "http://web" }],
  });
  const operate = (): void => {
    frames = next;
    const [first] = frames;
    if (first !== undefined) enter(first);
  };
  const look = (response: ServerResponse): void => {
    const [frame = { status: "CREATE_COMPLETE" }, following] = frames;
    if (following !== undefined) {
      frames = frames.slice(1);
      enter(following);
    }
    if (frame.dropped === true) response.destroy();
    else if (frame.gone === true)
      json(response, 404, notFound("The Stack (web) could not be found."));
    else json(response, 200, { stack: stack(frame) });
  };
  const play = (...played: readonly Frame[]): void => {
    next = [...played];
  };
  return { events, operate, look, play };
};

const prepared = () => {
  const answers = new Map<string, readonly (object | string)[]>();
  const answerWith = (request: string, ...given: readonly (object | string)[]): void => {
    answers.set(request, given);
  };
  const answerPrepared = (request: string, response: ServerResponse): boolean => {
    const [next, ...later] = answers.get(request) ?? [];
    if (next === undefined) return false;
    if (later.length > 0) answers.set(request, later);
    if (typeof next === "string") response.writeHead(200).end(next);
    else json(response, "error" in next ? 409 : 200, next);
    return true;
  };
  return { answerWith, answerPrepared };
};

export const startFakeHeat = async (): Promise<FakeHeat> => {
  const requests: Recorded[] = [];
  const waiting = new Set<() => void>();
  const { events, operate, look, play } = playing();
  const { answerWith, answerPrepared } = prepared();
  const answer = (method: string, url: URL, response: ServerResponse): void => {
    const { pathname: path, searchParams } = url;
    if (path === "/v1/demo/stacks" && method === "POST") {
      operate();
      json(response, 201, { stack: { id: STACK_ID, links: [] } });
    } else if (/^\/v1\/demo\/stacks\/(web|nosuch)$/.test(path)) {
      if (path.endsWith("nosuch"))
        json(response, 404, notFound("The Stack (nosuch) could not be found."));
      else response.writeHead(302, { Location: `${ELSEWHERE}${CANONICAL}${url.search}` }).end();
    } else if (path === CANONICAL && method === "GET") look(response);
    else if (path === CANONICAL || path === `${CANONICAL}/actions`) {
      operate();
      response.writeHead(method === "PUT" ? 202 : method === "DELETE" ? 204 : 200).end();
    } else if (path === `${CANONICAL}/events`) {
      json(response, 200, { events: pageOf(events, searchParams) });
    } else json(response, 404, notFound("The resource could not be found."));
  };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://heat");
    const text = await bodyOf(request);
    requests.push({
      method: request.method ?? "",
      path: `${url.pathname}${url.search}`,
      token: request.headers["x-auth-token"]?.toString(),
      body: text === "" ? undefined : JSON.parse(text),
    });
    if (!answerPrepared(`${request.method} ${url.pathname}${url.search}`, response)) {
      answer(request.method ?? "", url, response);
    }
    for (const check of [...waiting]) check();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    endpoint: `http://127.0.0.1:${port}/`,
    requests,
    play,
    answerWith,
    asked: (method, path) =>
      new Promise((resolve) => {
        const check = () => {
          if (!requests.some((request) => request.method === method && path.test(request.path))) {
            return;
          }
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};

const Identified = z.object({ id: z.string() });

const pageOf = (events: readonly object[], query: URLSearchParams): readonly object[] => {
  const marker = query.get("marker");
  const at = events.findIndex((event) => Identified.parse(event).id === marker);
  const after = events.slice(at + 1);
  const sorted = query.get("sort_dir") === "desc" ? after.reverse() : after;
  return sorted.slice(0, Number(query.get("limit") ?? sorted.length));
};

const notFound = (message: string): object => ({
  code: 404,
  title: "Not Found",
  error: { type: "EntityNotFound", message, traceback: null },
});

const json = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
};

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
};
