/** Answers the console's requests in its own page, with the routes of a host. */
import type { Fetch } from "#client/client.ts";
import { faultResponse } from "#lib/api/errors.ts";
import { type ApiResponse, jsonResponse } from "#lib/api/http.ts";
import { route } from "#lib/api/route.ts";
import { readEngine } from "#lib/stepping/read-engine.ts";
import type { SteppedEngine } from "#lib/stepping/step-mode.ts";
import { type AnswerWriting, answerWriting, writingRoute } from "#lib/stepping/step-routes.ts";
import { openHints } from "./hints.ts";
import { openPageEngine } from "./page-engine.ts";

const DEV_PREFIX = "/_dev/";
const CHANGES = /^\/v1\/[^/]+\/_changes$/;
const SETTINGS = { revision: "playground", showsEveryVisit: true } as const;

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly search: URLSearchParams;
  readonly body: string | null;
}

interface Running {
  readonly engine: SteppedEngine;
  readonly writing: AnswerWriting;
}

const responseOf = ({ status, headers, body }: ApiResponse): Response =>
  new Response(body, { status, headers: { ...headers } });

const queryOf = (search: URLSearchParams) =>
  Object.fromEntries([...new Set(search.keys())].map((name) => [name, search.getAll(name)]));

const askedOf = (url: string, { method = "GET", body }: RequestInit): Asked => {
  const { pathname, searchParams } = new URL(url);
  return {
    method,
    path: pathname,
    search: searchParams,
    body: typeof body === "string" ? body : null,
  };
};

export const openPageApi = (now: () => number, unexpected: (error: unknown) => void): Fetch => {
  const hints = openHints();
  const begin = (): Running => {
    const engine = openPageEngine(now(), unexpected);
    const reset = (): void => {
      running = begin();
    };
    return { engine, writing: answerWriting(engine, reset, unexpected) };
  };
  let running = begin();

  const answerDev = async ({ method, path, search, body }: Asked): Promise<ApiResponse> => {
    const name = path.slice(DEV_PREFIX.length);
    const writing = method === "POST" ? writingRoute(name) : null;
    if (writing !== null) return running.writing(writing, body);
    const document = await readEngine(running.engine, name, search, true);
    return document === null ? faultResponse(404, "HTTPNotFound") : jsonResponse(200, document);
  };

  const answer = (asked: Asked): Promise<ApiResponse> => {
    if (asked.path.startsWith(DEV_PREFIX)) return answerDev(asked);
    const { method, path, search, body } = asked;
    const request = { method, path, query: queryOf(search), body };
    return route(running.engine.ports, SETTINGS, request, unexpected);
  };

  return async (url, init = {}) => {
    const asked = askedOf(url, init);
    if (CHANGES.test(asked.path)) return hints.open(init.signal ?? null);
    const response = responseOf(await answer(asked));
    if (asked.method !== "GET") {
      await running.engine.feed();
      hints.tell();
    }
    return response;
  };
};
